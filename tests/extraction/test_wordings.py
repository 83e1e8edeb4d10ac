"""How people put things: every predicate in many wordings of both languages, and what only sounds like it."""

import pytest

from mnemic.extraction.patterns import shipped_patterns
from tests.extraction.reading import brief

SAID = {
    "age": [
        ("I'm 52", "Ada", "52"),
        ("Priya turned 31 yesterday", "Priya", "31"),
        ("my nephew is 8", "Ada's nephew", "8"),
        ("陈默今年41岁", "陈默", "41岁"),
        ("我女儿6岁了", "Ada的女儿", "6岁"),
    ],
    "owes": [
        ("Tomas owes me 30 euros", "Tomas", "30 euros"),
        ("I owe Priya $12", "Ada", "$12"),
        ("陈默欠我500块", "陈默", "500块"),
        ("我欠林悦80元", "Ada", "80元"),
    ],
    "uses": [
        ("Atlas caches with Redis", "Atlas", "Redis"),
        ("Marlin persists to Postgres", "Marlin", "PostgreSQL"),
        ("we ripped Kafka out of Atlas and put RabbitMQ in", "Atlas", "RabbitMQ"),
        ("Priya keeps her notes in Obsidian", "Priya", "Obsidian"),
        ("支付系统的缓存靠 Redis", "支付系统", "Redis"),
        ("支付系统把 Kafka 换掉了，现在用 RabbitMQ", "支付系统", "RabbitMQ"),
        ("ClickHouse 撑着支付系统", "支付系统", "ClickHouse"),
    ],
    "runs_on": [
        ("AWS hosts Atlas", "Atlas", "AWS"),
        ("Hosting for Marlin: Vercel", "Marlin", "Vercel"),
        ("Marlin left AWS for Azure", "Marlin", "Azure"),
        ("支付系统托管在阿里云", "支付系统", "阿里云"),
        ("AWS 上跑着支付系统", "支付系统", "AWS"),
    ],
    "written_in": [
        ("Marlin turned into a Rust project", "Marlin", "Rust"),
        ("language for Marlin: Rust", "Marlin", "Rust"),
        ("支付系统的开发语言：Go", "支付系统", "Go"),
        ("我们拿 Rust 把支付系统重写了一遍", "支付系统", "Rust"),
    ],
    "depends_on": [
        ("Marlin sits downstream of Atlas", "Marlin", "Atlas"),
        ("Atlas is a dependency of Marlin", "Marlin", "Atlas"),
        ("Marlin fetches its prices from Atlas", "Marlin", "Atlas"),
        ("支付系统的上游是 Atlas", "支付系统", "Atlas"),
        ("没有 Atlas 支付系统跑不起来", "支付系统", "Atlas"),
    ],
    "part_of": [
        ("Atlas absorbed Marlin", "Marlin", "Atlas"),
        ("Marlin got folded into Atlas", "Marlin", "Atlas"),
        ("Atlas 里面有个 Marlin", "Marlin", "Atlas"),
        ("Marlin 挂在 Atlas 下面", "Marlin", "Atlas"),
    ],
    "owner": [
        ("Priya owns the loyalty project", "loyalty project", "Priya"),
        ("Tomas took over the search team", "search team", "Tomas"),
        ("陈默负责会员项目", "会员项目", "陈默"),
        ("会员项目归林悦管", "会员项目", "林悦"),
        ("Any Atlas questions go to Priya", "Atlas", "Priya"),
        ("Atlas falls under Priya", "Atlas", "Priya"),
        ("Priya calls the shots on Atlas", "Atlas", "Priya"),
        ("responsible for Atlas: Priya", "Atlas", "Priya"),
        ("I'm the one running Atlas", "Atlas", "Ada"),
        ("支付系统换人了，林悦接替陈默", "支付系统", "林悦"),
        ("支付系统负责人：林悦", "支付系统", "林悦"),
        ("林悦从陈默手里接过了支付系统", "支付系统", "林悦"),
        ("团建由林悦张罗", "团建", "林悦"),
    ],
    "works_on": [
        ("Priya got staffed on Atlas", "Priya", "Atlas"),
        ("Priya's current project is Atlas", "Priya", "Atlas"),
        ("Atlas eats all my time", "Ada", "Atlas"),
        ("writing a novel these days", "Ada", "novel"),
        ("陈默手头的活是支付系统", "陈默", "支付系统"),
        ("陈默被借到支付系统去了", "陈默", "支付系统"),
        ("我在写毕业论文", "Ada", "毕业论文"),
    ],
    "reports_to": [
        ("Priya is one of Tomas's reports", "Priya", "Tomas"),
        ("I got a new boss, Priya", "Ada", "Priya"),
        ("Priya's reporting line is now Tomas", "Priya", "Tomas"),
        ("陈默的汇报对象是林悦", "陈默", "林悦"),
        ("我现在汇报给林悦", "Ada", "林悦"),
    ],
    "member_of": [
        ("welcome Priya to the Growth team", "Priya", "Growth"),
        ("Growth has a new member: Priya", "Priya", "Growth"),
        ("I transferred into Growth", "Ada", "Growth"),
        ("增长组新来了个陈默", "陈默", "增长组"),
        ("我现在人在增长组", "Ada", "增长组"),
    ],
    "employer": [
        ("Google hired Priya", "Priya", "Google"),
        ("I accepted an offer from Google", "Ada", "Google"),
        ("I work at the city library", "Ada", "city library"),
        ("陈默是腾讯的员工", "陈默", "腾讯"),
        ("陈默供职于腾讯", "陈默", "腾讯"),
        ("我姐在银行上班", "Ada的姐姐", "银行"),
    ],
    "role": [
        ("just got promoted to team lead", "Ada", "team lead"),
        ("Priya, our CTO, will join", "Priya", "CTO"),
        ("day job: plumber", "Ada", "plumber"),
        ("陈默从开发转架构师了", "陈默", "架构师"),
        ("我爸是个木匠", "Ada的爸爸", "木匠"),
    ],
    "lives_in": [
        ("Lisbon is home now", "Ada", "Lisbon"),
        ("just signed the lease on a flat in Porto", "Ada", "Porto"),
        ("my parents live in Cork", "Ada's parents", "Cork"),
        ("我在成都租了房", "Ada", "成都"),
        ("陈默常住北京", "陈默", "北京"),
    ],
    "located_at": [
        ("passports: in the safe", "passports", "safe"),
        ("you'll find the ladder in the shed", "ladder", "shed"),
        ("the spare key is with Priya", "spare key", "Priya"),
        ("护照我收进保险柜了", "护照", "保险柜"),
        ("投影仪从三楼搬到四楼了", "投影仪", "四楼"),
        ("周会在小会议室", "周会", "小会议室"),
    ],
    "likes": [
        ("big fan of hiking", "Ada", "hiking"),
        ("board games are right up my street", "Ada", "board games"),
        ("tea over coffee any day", "Ada", "tea"),
        ("我是攀岩发烧友", "Ada", "攀岩"),
        ("火锅是我的最爱", "Ada", "火锅"),
        ("我只喝美式", "Ada", "美式"),
    ],
    "dislikes": [
        ("can't stand coriander", "Ada", "coriander"),
        ("phone calls stress me out", "Ada", "phone calls"),
        ("horror films aren't for me", "Ada", "horror films"),
        ("开放式办公让我抓狂", "Ada", "开放式办公"),
        ("我对恐怖片无感", "Ada", "恐怖片"),
    ],
    "avoids": [
        ("nuts are a no-go for me", "Ada", "nuts"),
        ("dairy upsets my stomach", "Ada", "dairy"),
        ("keep dairy away from my son", "Ada's son", "dairy"),
        ("花生我碰都不能碰", "Ada", "花生"),
        ("我女儿对鸡蛋过敏", "Ada的女儿", "鸡蛋"),
        ("医生让我忌辣", "Ada", "辣"),
    ],
    "knows": [
        ("Kubernetes is Priya's forte", "Priya", "Kubernetes"),
        ("Priya has lots of experience with Kubernetes", "Priya", "Kubernetes"),
        ("I'm first aid certified", "Ada", "first aid"),
        ("Rust 我熟", "Ada", "Rust"),
        ("我西班牙语还可以", "Ada", "西班牙语"),
        ("我写了五年 Rust", "Ada", "Rust"),
    ],
    "family": [
        ("I've got a sister called Lucy", "Ada", "Lucy"),
        ("Priya and Tomas are siblings", "Priya", "Tomas"),
        ("we're having twins", "Ada", "twins"),
        ("陈默家添了个儿子", "陈默", "儿子"),
        ("陈默有俩娃", "陈默", "娃"),
    ],
    "pet": [
        ("meet Biscuit, our new puppy", "Ada", "Biscuit"),
        ("picked up a rabbit from the shelter", "Ada", "rabbit"),
        ("proud owner of a parrot", "Ada", "parrot"),
        ("昨天领养了一只猫", "Ada", "猫"),
        ("豆豆是我家的猫", "Ada", "豆豆"),
    ],
    "owns": [
        ("treated myself to a Leica", "Ada", "Leica"),
        ("new laptop: ThinkPad", "Ada", "ThinkPad"),
        ("the projector belongs to Priya", "Priya", "projector"),
        ("家里添了架钢琴", "Ada", "钢琴"),
        ("我有顶露营帐篷可以借", "Ada", "露营帐篷"),
    ],
    "contact": [
        ("my new number: +44 7700 900123", "Ada", "+44 7700 900123"),
        ("Priya is best reached at priya@atlas.example", "Priya", "priya@atlas.example"),
        ("questions for Growth go in #growth-help", "Growth", "#growth-help"),
        ("我换号了，新号 13900139000", "Ada", "13900139000"),
        ("增长组的频道是 #growth-help", "增长组", "#growth-help"),
    ],
    "birthday": [
        ("Priya celebrates her birthday on June 12", "Priya", "June 12"),
        ("it's Priya's birthday on June 12", "Priya", "June 12"),
        ("陈默6月12号过生日", "陈默", "6月12号"),
        ("6月12日是陈默生日", "陈默", "6月12日"),
    ],
    "name": [
        ("codename for Atlas: Pegasus", "Atlas", "Pegasus"),
        ("we named the boat Marigold", "boat", "Marigold"),
        ("我们管支付系统叫如意", "支付系统", "如意"),
        ("如意是支付系统的新名字", "支付系统", "如意"),
    ],
    "deadline": [
        ("Friday is the deadline for the report", "report", "Friday"),
        ("Atlas has until June 10", "Atlas", "June 10"),
        ("my passport expires in August", "Ada's passport", "August"),
        ("报名截止到4月5日", "报名", "4月5日"),
        ("周五前要把报告交了", "报告", "周五"),
    ],
    "scheduled_at": [
        ("we have the retro on Thursday", "retro", "Thursday"),
        ("there's a board meeting next Tuesday", "board meeting", "next Tuesday"),
        ("they've rescheduled the demo for Monday", "demo", "Monday"),
        ("下周二有董事会", "董事会", "下周二"),
        ("3月12日去看牙医", "牙医", "3月12日"),
    ],
    "version": [
        ("Atlas hit v2.3", "Atlas", "v2.3"),
        ("支付系统当前版本：v2.3", "支付系统", "v2.3"),
    ],
    "status": [
        ("Atlas has been put on hold", "Atlas", "on hold"),
        ("status of Atlas: green", "Atlas", "green"),
        ("支付系统进入灰度", "支付系统", "灰度"),
        ("游泳馆关门了", "游泳馆", "关门"),
    ],
    "quantity": [
        ("the meeting room seats 8 people", "meeting room", "8"),
        ("upload limit: 50 MB", "upload limit", "50 MB"),
        ("会议室能坐8个人", "会议室", "8个人"),
    ],
    "price": [
        ("they charge $15 for Marlin", "Marlin", "$15"),
        ("the plumber charged $120", "plumber", "$120"),
        ("健身房一个月200块", "健身房", "200块"),
        ("沙发4000块买的", "沙发", "4000块"),
    ],
    "rule": [
        ("whenever you write to the client, cc me", "Ada", "cc me"),
        ("from now on, always answer in English", "Ada", "answer in English"),
        ("进门先脱鞋", "Ada", "脱鞋"),
        ("报销必须有发票", "报销", "有发票"),
    ],
    "decided": [
        ("final call: no stickers", "Ada", "no stickers"),
        ("the board approved the four-day week", "Ada", "four-day week"),
        ("最后选了蓝色那款", "Ada", "蓝色那款"),
        ("公司批准了四天工作制", "Ada", "四天工作制"),
    ],
    "task": [
        ("I asked Priya to check the invoice", "Priya", "check the invoice"),
        ("must call the bank tomorrow", "Ada", "call the bank"),
        ("让陈默查一下发票", "陈默", "发票"),
        ("会议纪要我来写", "Ada", "会议纪要"),
    ],
    "done": [
        ("got the visa sorted", "Ada", "visa"),
        ("cake ordered!", "Ada", "cake"),
        ("蛋糕订好了", "Ada", "蛋糕"),
        ("签证办好了", "Ada", "签证"),
    ],
    "happened": [
        ("the office got burgled", "office", "burgled"),
        ("Priya had a car accident", "Priya", "car accident"),
        ("陈默出车祸了", "陈默", "车祸"),
    ],
}  # fmt: skip
"""What says each predicate: the text, its subject, and words that its value has."""
NOT_SAID = {
    "age": ["I'm 5 minutes late", "Priya is 170 cm", "we're 100% sure", "陈默身高180厘米"],
    "owes": ["Tomas paid for lunch", "陈默还车去了"],
    "uses": ["I read an article on Kafka yesterday", "has anyone here tried Svelte", "昨天看了一篇讲 Redis 的文章"],
    "runs_on": ["AWS had an outage last night", "阿里云昨晚挂了"],
    "written_in": ["Rust is fun", "我在学 Rust"],
    "depends_on": ["Marlin is faster than Atlas", "Marlin 和 Atlas 今天都发版"],
    "owner": ["Priya likes Atlas", "Priya broke Atlas", "is Priya a manager?", "陈默问了支付系统的进度"],
    "works_on": ["I'm on the train", "陈默在开会"],
    "reports_to": ["Priya reported a bug to Tomas", "陈默跟林悦吃饭去了"],
    "member_of": ["Priya thanked the Growth team", "陈默跟增长组开会"],
    "employer": [
        "Priya called Google",
        "陈默去腾讯开会",
        "Priya works at Oslo",
        "陈默在成都实习",
        "我妹妹在南京上班",
        "Harrier moved to Vercel",
        "we're moving to Notion",
    ],
    "role": ["Tomas is a nice guy", "it's in Priya's head", "他是我朋友"],
    "lives_in": ["I'm flying to Lisbon tomorrow", "我在杭州开会", "请记住：仓库钥匙换了", "车停住车库门口", "保安拦住上海来的快递"],
    "located_at": ["the answer is in the question", "会议在十分钟后"],
    "likes": ["I like that you asked", "like everybody else here", "喜欢你这么问"],
    "dislikes": ["I hate that it rains", "烦死了"],
    "avoids": ["Tomas is a vegan", "my sister went pescatarian", "我妹妹吃全素", "don't touch that", "Luis is off on Fridays", "别碰那个"],
    "knows": ["I know what you mean", "I play the lottery", "我懂你意思"],
    "family": ["my brother called", "我哥来电话了", "陈默跟林悦吃饭去了"],
    "pet": ["the dog next door barks", "楼下有只猫"],
    "owns": ["I have a question", "Priya lost her patience", "我买了杯奶茶"],
    "contact": ["call me when you're there", "到了给我打电话"],
    "birthday": ["the birthday party is on June 12", "祝陈默生日快乐"],
    "deadline": ["I saw the report on Friday", "周五我看了报告"],
    "scheduled_at": ["it rained on Monday", "周一下雨了"],
    "status": ["the water was up to my waist", "Priya's done it again"],
    "decided": ["have you decided?", "I've a decision on my side", "还没决定"],
    "happened": ["it doesn't get lost", "陈默没事"],
}  # fmt: skip
"""What sounds like each predicate and says nothing of it."""


@pytest.mark.parametrize(
    ("predicate", "text", "subject", "value"),
    [(predicate, *row) for predicate, rows in SAID.items() for row in rows],
)
def test_a_predicate_is_heard_in_many_wordings(predicate: str, text: str, subject: str, value: str) -> None:
    found = brief(text)
    assert any(name == subject and said == predicate and value in what for name, said, what, _ in found), (
        found
    )


@pytest.mark.parametrize(
    ("predicate", "text"), [(predicate, text) for predicate, texts in NOT_SAID.items() for text in texts]
)
def test_what_only_sounds_like_a_predicate_says_none(predicate: str, text: str) -> None:
    assert predicate not in [said for _, said, _, _ in brief(text)]


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I hear Atlas uses Redis", "reported"),
        ("I read that Atlas uses Redis", "reported"),
        ("群里传支付系统用 Redis", "reported"),
        ("in an ideal world Atlas uses Redis", "hypothetical"),
        ("no idea whether Atlas uses Redis", "hypothetical"),
        ("maybe we should use Redis in Atlas", "proposed"),
        ("it might be an idea to use Redis in Atlas", "proposed"),
        ("要不支付系统用 Redis", "proposed"),
        ("支付系统改用 Redis 怎么样？", "proposed"),
        ("the plan is to use Redis in Atlas", "planned"),
        ("预计支付系统用 Redis", "planned"),
        ("回头支付系统用 Redis", "planned"),
        ("Atlas isn't using Redis", "negated"),
        ("there is no Redis in Atlas", "negated"),
        ("支付系统没用过 Redis", "negated"),
        ("Redis has been removed from Atlas", "ended"),
        ("支付系统里的 Redis 已经拆干净了", "ended"),
        ("do you know if Atlas uses Redis?", "asked"),
        ("支付系统是用 Redis 吗", "asked"),
    ],
)
def test_a_modality_is_heard_in_many_wordings(text: str, modality: str) -> None:
    meant = [how for _, predicate, value, how in brief(text) if (predicate, value) == ("uses", "Redis")]
    assert meant == [modality]


@pytest.mark.parametrize(
    ("asked", "text", "expected"),
    [
        ("Is Atlas still with Priya?", "no, Tomas has it now", ("Atlas", "owner", "Tomas")),
        ("anyone looking after Atlas?", "me, for my sins", ("Atlas", "owner", "Ada")),
        ("which database is behind Marlin?", "Postgres", ("Marlin", "uses", "PostgreSQL")),
        ("where did you put the spare key?", "it's with Priya", ("spare key", "located_at", "Priya")),
        ("who's sending the invoice?", "Priya", ("Priya", "task", "the invoice")),
        ("could you book the room?", "sure", ("Ada", "task", "book the room")),
        ("支付还是陈默负责吗", "早换了，现在是林悦", ("支付系统", "owner", "林悦")),
        ("支付系统现在找谁啊", "找林悦就行", ("支付系统", "owner", "林悦")),
        ("你现在住哪", "成都", ("Ada", "lives_in", "成都")),
        ("支付系统是什么库", "PG", ("支付系统", "uses", "PostgreSQL")),
        ("谁去订会议室?", "我来", ("Ada", "task", "订会议室")),
    ],
)
def test_a_question_and_its_answer_say_it_together(
    asked: str, text: str, expected: tuple[str, str, str]
) -> None:
    found = [said[:3] for said in brief(text, ("Bo", asked))]
    assert any(
        name == expected[0] and said == expected[1] and expected[2] in what for name, said, what in found
    )


@pytest.mark.parametrize(
    ("before", "text", "expected"),
    [
        ("News on Marlin", "moved the db from MySQL to Postgres", ("Marlin", "uses", "PostgreSQL")),
        ("支付系统昨天重构了", "Kafka 拿掉了", ("支付系统", "uses", "Kafka")),
    ],
)
def test_a_part_or_no_subject_at_all_is_of_the_thing_in_view(
    before: str, text: str, expected: tuple[str, str, str]
) -> None:
    assert expected in [said[:3] for said in brief(text, ("Ada", before))]


def test_a_sentence_goes_on_about_whom_it_named() -> None:
    said = [each[:3] for each in brief("我妈糖尿病，不能吃甜的")]
    assert ("Ada的妈妈", "avoids", "甜") in said


def test_every_wording_makes_an_expression() -> None:
    assert all(pattern.regex.pattern for pattern in shipped_patterns().patterns)
