import json
import re
import time
from collections.abc import Callable
from importlib.resources import files
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mnemic.extraction.checks import is_cn_id, is_iban, is_luhn
from mnemic.extraction.secrets import mask, mask_value, secret_kind
from mnemic.extraction.width import narrow


def _wide(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if sign.isascii() and sign.isalnum() else sign for sign in text)


DISGUISES: list[Callable[[str], str]] = [str, _wide, "\u200b".join, "\u2060{}".format]
patient = settings(deadline=None)  # the first call reads the data file

KEPT = [
    # Speaking of passwords tells none
    "I changed the password",
    "what's the wifi password?",
    "can you send me the password",
    "password reset link expired",
    "the password is wrong",
    "password is required",
    "password must be at least 12 characters",
    "your password: required",
    "reset your password to continue",
    "The API key expired yesterday",
    "api key rotation happens every 90 days",
    "A password manager such as Bitwarden or 1Password can help you keep track of all those logins.",
    "2. **Use a password manager**: it keeps them",
    "密码改了，别用旧的",
    "密码是多少？",
    "密码用 bcrypt 加密",
    "密码至少 8 位，登录口令改为 8-16 位",
    "密码有效期改成 180 天",
    "密码管理器换成 1Password 了",
    "GD-2041 是客户登录验证码收不到，常书在跟",
    "验证码 60 秒内有效",
    # Ordinary numbers
    "ticket SR-2026-118, order 4539578763621486",
    "订单号 6222000013572468012，运单号 SF1234567890123",
    "order 112-3456789-1234567 shipped",
    "commit 3f9a2c1d4e5b6a7c8d9e0f1a2b3c4d5e6f7a8b9c broke it",
    "v2.3.1 on port 5433 since 2026-03-02 12:30",
    "call +44 7700 900123 or 555-0142, 手机 13800138000",
    "ISBN 978-3-16-148410-0",
    "id 550e8400-e29b-41d4-a716-446655440000",
    "https://docs.google.com/document/d/1aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789abcd/edit",
    "error code 50012, zip code 94103, discount code SPRING25",
    "max_tokens: 4096, the token limit is 8192",
    "tests pass: 1500, fail: 3",
    "budget is $4,539,578",
    "the card ends in 4242, 尾号 8021",
    "打卡 2026-03-02 2026-03-03",
    "卡在 v2.3.1 了，显卡是 RTX4090",
    # Documents without their number
    "my passport runs out in November 2027, the old one on 2026-05-14",
    "我的护照 2026 年 7 月 9 号到期，订单号 12345678",
    "passport office, call 020 555 0142",
    "身份证过期了，后四位 1234",
    "driver's license expires 2027-05-14",
    # A phrase, a change or an answer that tells none
    "the password is pretty easy stuff for anyone here",
    "The password is only known to the two admins",
    "the router password is printed under the box",
    "we moved the password from Bitwarden to 1Password",
    "changed the password policy from optional to required",
    "Did you change the password? It's on my list",
    "the password? it's in the vault",
    "密码：长度大于12",
    "密码是上周改的，见工单20",
    "口令由小王保管",
    "AccountName=shop; the account key is rotated each quarter",
    "the password is taped to the garage wall",
    "the wifi password at the lodge is on the fridge",
    "wifi: 300Mbps down",
    "our wifi is 802.11ac",
    "the wifi is down again since 9am",
    "wifi是新换的，500M",
    "the password for server01 sits with the admins of checkout22",
    "password reset moved to checkout22, password ticket OPS-20418",
    "密码我放在 room101 的抽屉里，已经同步到 vault-22",
    # Code and placeholders
    'password = input("Password: ")',
    "User(username=username, password=hashed_password)",
    "password: str",
    "export PASSWORD=$SECRET, API_KEY=${API_KEY}, pwd: ****",
    "postgres://user:password@localhost/db and postgres://localhost:5432/db",
    'integrity="sha384-IMqVj9dNAdCwD9lqO9yH+Y7H5HRC3b+QH6QaU1ExdTRzVXp77lXdM"',
    "getUserAccountByEmailAndPasswordFromDatabase2",
]


@pytest.mark.parametrize("text", KEPT)
def test_text_without_secrets_comes_back_as_it_is(text: str) -> None:
    assert mask(text) == (text, ())


TOLD = [
    ("password", "测试库连不上，账号 qa_rw 密码 {}，帮我看看", "Hz#77mango"),
    ("password", "密码：\n{}", "Hz#77mango"),
    ("password", "家里WiFi：Home-5G，密码{}", "yuanyuan0819"),
    ("password", "口令是“{}”", "芝麻开门"),
    ("password", "密码现在改成 {} 了", "Tulip2026"),
    ("password", "支付密码 {}", "246810"),
    ("password", "原密码 {} 不能用了", "abcd1234"),
    ("password", "the wifi password is {}", "sunflower"),
    ("password", "The password for the printer is {}.", "velvet anchor maple drum"),
    ("password", "passcode: {}", "velvet-anchor-maple-drum"),
    ("password", "暗号：{}，别外传", "天王盖地虎2026"),
    ("password", "访客网络口令是{}", "春江花月夜77!"),
    ("password", "the guest password? it's {}", "plumTree909"),
    ("password", "服务器密码？是 {}", "plumTree909"),
    (
        "api key",
        "AccountName=shop;AccountKey={};EndpointSuffix=example.net",
        "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZg==",
    ),
    ("password", "password for the vpn is {}, don't share", "Kestrel-2291"),
    ("password", "I set the admin password to {}", "orchid41"),
    ("password", "the root password's {} if you need it", "orchid41"),
    ("password", "old pw is `{}`", "tulip22"),
    ("password", "**Password:** {}", "hunter2"),
    ("password", "use {} as the password", "Tulip#2026"),
    ("password", "user ada pass {}", "orchid41!"),
    ("password", "账号密码 admin {}", "Qwe123!"),
    ("password", "wifi password at the lodge: {}", "greyheron58"),
    ("password", "wifi: {}", "greyheron58x"),
    ("password", "the hotspot is {}", "moss77lantern"),
    ("password", "家里的wifi是 {}", "lotus5521pond"),
    ("password", "wifi密码 {}", "lotus5521"),
    ("password", "guest password from the hotel: {}", "lagoon"),
    ("password", "my password at the office is {}.", "Walnut2031"),
    ("password", "the password my sister picked: {}", "lemon77tree"),
    ("password", "the password we use upstairs is still {}", "Otter2211"),
    ("password", "My login is joan, pass is {}", "falcon31"),
    ("password", "username joan and the pass: {}", "falcon31"),
    ("password", "车间的 wifi 密码换成 {} 了", "lotus5521"),
    ("password", "口令还是以前那个 {}", "tiger8899"),
    ("password", "DB_PASSWORD={}", "foobarbaz"),
    ("password", '"password": "{}"', "two words"),
    ("password", "https://x.org/?user=a&pass={}&b=1", "Tr33house"),
    ("password", "postgres://app:{}@db.example.com:5432/prod", "S3cr3t!pw"),
    ("password", "curl -u ada:{} https://x.org", "Tr33house"),
    ("password", "mysql -u root -p{} db", "S3cret"),
    ("api key", "can someone try with {}", "sk_test_9fKq27LmZx04TtVb81Qe"),
    ("api key", "openai {}", "sk-proj-abcDEF123456ghiJKL789mnoPQR"),
    ("api key", "{} is ours", "AKIAIOSFODNN7EXAMPLE"),
    ("api key", "密钥是 {}", "9a8b7c6d5e4f3a2b"),
    ("api key", "client_secret: '{}'", "abcDEF123xyz"),
    ("api key", "use this key: {}", "9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d"),
    ("token", "token {}", "ghp_16C7e42F292c6912E7710c838347Ae178B4a"),
    ("token", "slack {}", "xoxb-123456789012-abcdefABCDEF"),
    ("token", "Authorization: Bearer {}", "abcdef1234567890abcdef"),
    ("token", "{}", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"),
    ("token", "https://x.com/cb?access_token={}&state=1", "abc123def456"),
    ("token", "it printed {} and stopped", "a8F3kQ9zL2mX7vB4nR6tY1wE5"),
    ("one-time code", "验证码是 {}，五分钟内有效", "384920"),
    ("one-time code", "{} is your login code", "384920"),
    ("one-time code", "the code they texted me is {}", "493021"),
    ("access code", "alarm code's {}, cat's fed", "4471"),
    ("access code", "the code for the lockbox is {}", "0419"),
    ("access code", "门禁是 {}", "2580#"),
    ("recovery phrase", "passphrase is {}", "correct horse battery staple"),
    ("card number", "put it on my card, {}, exp 09/28", "4539 5787 6362 1486"),
    ("card number", "报销打我这张卡 {}", "6222 0000 1357 2468 012"),
    ("card number", "{} works too", "3782 822463 10005"),
    ("card security code", "CVV {}", "123"),
    ("bank account", "sort code {}", "20-00-00"),
    ("bank account", "send it to {} please", "DE89 3704 0044 0532 0130 00"),
    ("identity number", "帮我填下订票信息，身份证 {}", "330199199204170007"),
    ("identity number", "{} 是我的", "11010519491231002X"),
    ("identity number", "my driver's licence is {}", "MORGA657054SM9IJ"),
    ("passport number", "护照号是{}，签证页在后面", "E12345678"),
    ("passport number", "{} is my passport number", "XK5339082"),
    ("social security number", "mine is {}", "219-09-9999"),
    ("private key", "{}", "-----BEGIN RSA PRIVATE KEY-----\nMIIB\n-----END RSA PRIVATE KEY-----"),
]


@pytest.mark.parametrize(("kind", "frame", "secret"), TOLD)
def test_a_secret_is_masked_alone_and_by_its_kind(kind: str, frame: str, secret: str) -> None:
    text = frame.format(secret)
    masked, (found,) = mask(text)
    assert (found.kind, text[found.start : found.end]) == (kind, secret)
    before, after = frame.split("{}")
    assert masked.startswith(before)
    assert masked.endswith(after)
    assert secret not in masked


@pytest.mark.parametrize(
    "text",
    [
        "I changed the vpn password from plum#41 to grape#42",
        "reset the password for the nas from 'plum#41' to 'grape#42'.",
        "门禁密码从 plum#41 改成 grape#42 了",
        "口令由plum#41换成了grape#42",
    ],
)
def test_of_a_change_both_passwords_are_masked(text: str) -> None:
    masked, found = mask(text)
    assert [hit.kind for hit in found] == ["password", "password"]
    assert "plum#41" not in masked
    assert "grape#42" not in masked


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("wifi_password", "sunflower"),
        ("口令", "“芝麻开门”"),
        ("api key", "9a8b7c6d5e4f3a2b"),
        ("pin", "4471"),
    ],
)
def test_the_name_of_a_field_gives_its_value_away(name: str, value: str) -> None:
    assert mask_value(name, value)[1]
    assert value not in mask_value(name, value)[0]
    assert mask_value("note", value) == (value, ())


@pytest.mark.parametrize(
    ("name", "value"),
    [("password_length", "12"), ("max_tokens", "4096"), ("source", "import-2026"), ("ticket", "SR-2026-118")],
)
def test_other_fields_keep_their_values(name: str, value: str) -> None:
    assert mask_value(name, value) == (value, ())


@pytest.mark.parametrize(
    "identifier",
    [
        "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
        "password=Tr33house",
        "AKIAIOSFODNN7EXAMPLE",
        "密码是Tr33house",
    ],
)
def test_an_identifier_that_is_a_secret_is_known(identifier: str) -> None:
    assert secret_kind(identifier)


@pytest.mark.parametrize(
    "identifier",
    [
        "standup-2026-03-02",
        "chatcmpl-A8F3kQ9zL2mX7vB4nR6tY1wE5",
        "msg_68a1b2c3d4e5f60718293a4b5c",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "550e8400-e29b-41d4-a716-446655440000",
        "4539578763621486",
        "wxid_9a8b7c6d5e4f",
        "周一例会",
        "password reset",
    ],
)
def test_an_identifier_may_look_drawn_by_lot(identifier: str) -> None:
    assert secret_kind(identifier) == ""


def test_the_mask_speaks_the_language_of_the_text() -> None:
    assert mask("the wifi password is sunflower")[0] == "the wifi password is [masked: password]"
    assert mask("密码是 sunflower")[0] == "密码是 [已隐去: 密码]"


NUMBERS = [entry for entry in TOLD if entry[2].replace(" ", "").isdigit() and len(entry[2]) > 12]


@pytest.mark.parametrize(("kind", "frame", "secret"), NUMBERS)
@patient
@given(data=st.data())
def test_no_spacing_hides_a_long_number(kind: str, frame: str, secret: str, data: st.DataObject) -> None:
    digits = secret.replace(" ", "")
    gap = data.draw(st.sampled_from(["", " ", "-", "\u200b", "\u00a0", "–", "\n"]))
    size = data.draw(st.sampled_from([1, 4, len(digits)]))
    written = gap.join(digits[at : at + size] for at in range(0, len(digits), size))
    assert digits not in re.sub(r"\D", "", mask(frame.format(written))[0])


@pytest.mark.parametrize(("kind", "frame", "secret"), TOLD)
@patient
@given(data=st.data())
def test_no_disguise_hides_a_secret(kind: str, frame: str, secret: str, data: st.DataObject) -> None:
    disguise = data.draw(st.sampled_from(DISGUISES))
    around = data.draw(st.sampled_from(["{}", "```\n{}\n```", "fyi: {}", "{}, ok?", "\u200e{}"]))
    masked, found = mask(around.format(frame.format(disguise(secret))))
    assert found
    assert secret not in _read(masked)


@patient
@given(
    st.lists(
        st.sampled_from([*KEPT, *(frame.format(secret) for _, frame, secret in TOLD)]) | st.text(max_size=20),
        max_size=4,
    ).map(" ".join)
)
@example("password password [masked: password] 123456a")
@example("密码 [已隐去: 密码] 384920 卡 6222 0000 1357 2468 012")
def test_masking_a_masked_text_changes_nothing(text: str) -> None:
    masked, found = mask(text)
    assert mask(masked) == (masked, ())
    assert all(one.end <= two.start for one, two in pairwise(found))
    assert all(0 <= one.start < one.end <= len(text) for one in found)


@patient
@given(st.text(alphabet=st.characters(codec=None), max_size=60), st.text(max_size=30))
def test_any_text_can_be_masked(text: str, context: str) -> None:
    masked, found = mask(text, context)
    assert found or masked == text


def test_the_word_may_stand_in_an_earlier_message() -> None:
    text = "number's XK5339082 if the form wants it"
    assert mask(text)[1] == ()
    assert mask(text, "Do you have your papers?\nmy passport runs out in November 2027")[0] == (
        "number's [masked: passport number] if the form wants it"
    )


@pytest.mark.parametrize(
    ("context", "text"),
    [
        ("what's the wifi password?", "it's bluebird42"),
        ("wifi 密码多少", "Hz#77mango"),
        ("what's the door code?", "4471#"),
        ("把卡号发我", "6222 0000 1357 2468 013"),
        ("身份证号报一下", "330199199204170001"),
    ],
)
def test_an_answer_to_the_question_before_is_masked(context: str, text: str) -> None:
    assert mask(text, context)[1]
    assert mask(text, "how are you?")[1] == ()


@pytest.mark.parametrize(
    "text", ["it's expired", "v2.3.1", "SR-2026-118 is closed", "不知道", "5 minutes", "ok"]
)
def test_other_answers_stay(text: str) -> None:
    assert mask(text, "what's the wifi password?") == (text, ())


def test_a_secret_told_before_is_known_again() -> None:
    assert mask("Hz#77mango 不行啊", "账号 qa_rw 密码 Hz#77mango\n好")[0] == "[已隐去: 密码] 不行啊"
    assert mask("tried orchid41.", "the root password's orchid41, ok?")[0] == "tried [masked: password]."
    assert mask("密码 Hz#77mango，对，Hz#77mango")[0].count("[已隐去: 密码]") == 2


@pytest.mark.parametrize(
    "start", ["", "password", "密码是", "验证码", "alarm code", "api key", "账号", "card ", "a://b:"]
)
@pytest.mark.parametrize("shape", ["a", "1", " ", "-", "1 ", "a1", "是", "password ", "A-", ": ", "=", "a_"])
def test_a_long_monotonous_text_takes_no_time(start: str, shape: str) -> None:
    text = start + shape * (4000 // len(shape))
    before = time.process_time()
    mask(text)
    assert time.process_time() - before < 2


def test_checks_know_their_published_examples() -> None:
    assert is_luhn("79927398713")
    assert not is_luhn("79927398710")
    assert is_iban("GB82WEST12345698765432")
    assert not is_iban("GB82WEST12345698765431")
    assert is_cn_id("11010519491231002X")
    assert not is_cn_id("110105194912310021")


def test_the_data_file_says_where_it_comes_from() -> None:
    for name in ("sensitive.toml", "values.toml"):
        text = files("mnemic.dictionaries").joinpath(name).read_text(encoding="utf-8")
        assert json.dumps("Apache-2.0") in text.split("[", 1)[0]


def _read(text: str) -> str:
    """Return a text as a person reads it."""
    return re.sub("[\u200b\u2060\u200e]", "", narrow(text))
