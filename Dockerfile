# mnemic as a service, a worker, or any of its commands:
#   docker build --tag mnemic . && docker run --volume mnemic:/data --publish 127.0.0.1:8420:8420 mnemic
#   docker run --rm --volume mnemic:/data mnemic keys create --user ada --plain
ARG PYTHON=python:3.12-slim

FROM ${PYTHON} AS build
WORKDIR /build
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
COPY api api
COPY dictionaries dictionaries
COPY engine engine
COPY examples examples
COPY extraction extraction
COPY graph graph
RUN python -m venv /opt/mnemic
RUN /opt/mnemic/bin/python -m pip install --no-cache-dir '.[telemetry]'

FROM ${PYTHON}
RUN groupadd --gid 10001 mnemic \
 && useradd --uid 10001 --gid mnemic --no-create-home --home-dir /data --shell /usr/sbin/nologin mnemic \
 && install --directory --owner mnemic --group mnemic --mode 700 /data
COPY --from=build /opt/mnemic /opt/mnemic
ENV PATH=/opt/mnemic/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    MNEMIC_PATH=/data/ \
    MNEMIC_SERVICE_HOST=0.0.0.0 \
    MNEMIC_SERVICE_PORT=8420
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8420
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s --retries=3 \
  CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"MNEMIC_SERVICE_PORT\"]}/readyz', timeout=4)"]
ENTRYPOINT ["mnemic"]
CMD ["serve"]
