FROM node:22-slim AS npm
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
# The server hands out prebuilt browser files and may start the engine; it needs nothing else of this.
RUN mkdir -p /kept && cp -r --parents node_modules/graphiql node_modules/react node_modules/react-dom \
      node_modules/@graphiql/plugin-explorer /kept \
 && if [ -d node_modules/@dynoxide ]; then cp -r --parents node_modules/@dynoxide /kept; fi \
 && find /kept -name '*.map' -delete

FROM python:3.13-slim AS packages
COPY requirements.txt .
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir --require-hashes -r requirements.txt

FROM python:3.13-slim
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 \
    STAGE=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data
RUN useradd --system --uid 10001 --no-create-home guildhall && install -d -o guildhall /data
WORKDIR /app
COPY --from=packages /venv /venv
COPY --from=npm /kept/node_modules node_modules
COPY app app
USER guildhall
EXPOSE 8000
VOLUME /data
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 CMD ["python", "-c", \
  "import os, urllib.request as r; r.urlopen(f\"http://127.0.0.1:{os.environ['PORT']}/health\", timeout=2)"]
CMD ["python", "-m", "app", "serve"]
