# `make` alone lists what there is.
.DEFAULT_GOAL := help
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Where members lie; scripts/install.sh and pyproject.toml have the same list.
FOLDERS := libs/* services/* tools/* apps/* testing/* tests-e2e/scenarios
MEMBERS := $(sort $(wildcard $(addsuffix /pyproject.toml,$(FOLDERS))))
CODE := libs services tools apps examples testing tests-e2e scripts bench mutants
# What runs without the whole system; the many short modules of services come last, so that all workers end together.
PARTS := libs tools apps testing scripts bench mutants services
# The folder of one member: make unit SERVICE=token.
MEMBER = $(or $(wildcard $(addsuffix /$(SERVICE),libs services tools apps testing)),$(error There is no member $(SERVICE)))
# mypy sees packages and tests apart: test folders share file names, packages are found by their own names.
PACKAGES := $(filter-out tests-e2e/%,$(wildcard $(addsuffix /portico_*,$(FOLDERS)))) scripts tests-e2e bench mutants
TESTS := $(wildcard $(addsuffix /tests,$(FOLDERS)))
# Where the client of Redis is tested, the stores in Redis, and what its users may do.
ON_REDIS := $(filter-out %_tls.py,$(wildcard libs/runtime/tests/redis/test_redis_*.py)) libs/runtime/tests/redis/test_remembered_history.py \
    libs/runtime/tests/versioned_cache services/authz/tests/store services/token/tests/store services/console/tests/store \
    tools/stack/tests/test_server_permissions.py
PORT ?= 8080
PEOPLE ?= 100000
ROUNDS ?= 12
HTTPS ?= 0
FIRST_RUN ?= 0
# More than two cores, since tests wait for servers and browsers.
WORKERS ?= 4
GROUPED := --dist loadgroup --no-loadscope-reorder
# haproxy or caddy; without it HAProxy where a fitting one is installed, else Caddy. Tests of the whole system too.
GATEWAY ?=
# Without its cache pytest writes the assertions of every test module again, in every process: half of `make unit`.
unexport PYTHONDONTWRITEBYTECODE
export PORTICO_STACK_GATEWAY := $(or $(GATEWAY),$(PORTICO_STACK_GATEWAY))
# Where the drills find Apache, without a slash at the end; empty for the system's.
APACHE ?=
# Only what is typed: some shells have a HOST of their own in the environment.
given = $(if $(filter command,$(origin $(1))),$(2) '$($(1))')

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

install: $(VENV)/.installed ## create .venv from requirements.lock (hash-checked)

$(VENV)/.installed: requirements.lock pyproject.toml $(MEMBERS)
	@scripts/install.sh $(PYTHON) $(VENV)
	@touch $@

up: install ## start everything: make up [PORT=8080] [HTTPS=1] [HOST=name [CERT=file KEY=file]] [GATEWAY=haproxy|caddy] [WAIT=120] [REPLICAS="token=2 users=2"] [PROFILE=ha] [FIRST_RUN=1] [ARGS=--verbose]
	@exec $(BIN)/portico up --port $(PORT) $(if $(filter 1,$(HTTPS)),--https) $(call given,HOST,--host) $(call given,CERT,--cert) $(call given,KEY,--key) $(if $(WAIT),--wait $(WAIT)) $(call given,REPLICAS,--replicas) $(call given,PROFILE,--profile) $(if $(filter ha,$(PROFILE)),--data .portico/ha) $(if $(filter 1,$(FIRST_RUN)),--first-run) $(RELOAD) $(ARGS)

dev: RELOAD = --reload $(call given,SERVICE,--foreground) $(call given,DEBUG,--debug-port)
dev: up ## the same for development: services restart when their code changes: make dev [SERVICE=token [DEBUG=5678]] [PORTICO_LOG_LEVEL=debug]

test: install ## what every change has to pass: checks, unit, store, protocol and browser tests (12 minutes on two cores)
	@$(MAKE) --no-print-directory -j 3 checked tested

# Side by side: checks take one core for a minute, and tests wait for servers. Their output is printed in one piece.
checked:
	@said=$$(mktemp); $(MAKE) --no-print-directory check >$$said 2>&1; status=$$?; echo; cat $$said; rm -f $$said; exit $$status

# One run: no core is idle between the last end-to-end tests and the others, and every worker collects once.
tested: tools compiled
	@$(BIN)/python -m pytest -q -n $(WORKERS) $(GROUPED) -m "not long" tests-e2e $(PARTS)

compiled: install
	@$(BIN)/python scripts/compile_tests.py tests-e2e $(PARTS)

test-all: test ## make test, then every longer suite: races, kills, partitions, high availability, client ecosystems, the images' Python, older stores (an hour)
	@PORTICO_TEST_APACHE=$(APACHE)/ $(BIN)/python scripts/long_tests.py

unit: install ## the tests that need no server, of everything or of one member: make unit [SERVICE=token]
	@$(BIN)/python scripts/unit_tests.py $(if $(SERVICE),$(MEMBER),$(PARTS))

unit-on: ## the same on another Python, in an environment of its own: make unit-on PYTHON=python3.13
	@$(MAKE) --no-print-directory unit VENV=.venv-$$($(PYTHON) -c 'import sys; print("%d.%d" % sys.version_info[:2])')

image-python: ## libraries, services and tools with their servers on the Python of the images, in a separate environment (15 minutes)
	@python=$$($(PYTHON) scripts/image_python.py) && \
	    $(MAKE) --no-print-directory on-image-python PYTHON=$$python VENV=.venv-$$($(PYTHON) scripts/image_python.py --version)

on-image-python: install
	@$(BIN)/python -m pytest -q -n $(WORKERS) $(GROUPED) -m "not long" $(or $(ARGS),libs tools apps testing services)

check: install ## ruff, mypy strict, import contracts, own rules, generated files; lists missing translations, and dependencies that end
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy $(PACKAGES)
	@$(BIN)/mypy --explicit-package-bases $(TESTS)
	@$(BIN)/lint-imports
	@$(BIN)/python scripts/rules.py
	@$(BIN)/python scripts/generate.py --check
	@$(BIN)/python scripts/dependencies.py ends
	@$(BIN)/python scripts/messages.py --check

messages: install ## merge new English messages into the catalogues of translations, and list what is not translated
	@$(BIN)/python scripts/messages.py

gen: install ## write everything that is generated
	@$(BIN)/python scripts/generate.py

format: install ## let ruff format and fix, and wrap documents
	@$(BIN)/ruff check --fix -q $(CODE) ; $(BIN)/ruff format $(CODE)
	@$(BIN)/python scripts/wrap_documents.py

docs: install ## the documentation site, with every link checked: make docs [TO=.portico/site]
	@$(BIN)/python scripts/docs.py $(call given,TO,--to)

lock: install ## resolve again and write requirements.lock, and the dates of releases on the dependency page
	@$(BIN)/uv lock -q && $(BIN)/uv export -q --all-packages --all-groups --no-emit-workspace --no-annotate --no-header --format requirements-txt -o requirements.lock
	@$(BIN)/python scripts/dependencies.py dates

bench: install ## how fast it is, beside the limits of this machine: make bench [DIRECT=1] [RECORD=1] [ARGS="--only userinfo --rounds 1"]; or beside a commit: make bench CHECK=1 [AGAINST=COMMIT] [ARGS="--only refresh"]; or imports: make bench IMPORTS=1 [AGAINST=COMMIT] [ARGS="--people 100000"]
	@scripts/wrk.sh
	@$(BIN)/python -m $(if $(IMPORTS),bench.imports $(call given,AGAINST,--against),$(if $(CHECK),bench.check $(call given,AGAINST,--against),bench $(if $(DIRECT),--direct) $(if $(RECORD),--record))) $(ARGS)

alerts: install ## do the alerts fire, and only then: promtool test rules (builds promtool the first time, eight minutes)
	@$(BIN)/python scripts/alerts.py

admission: install ## does an API server of Kubernetes admit the manifests and the chart, and refuse mistakes (builds it the first time, five minutes, Go 1.26)
	@$(BIN)/python -m pytest -q -n 0 -o faulthandler_timeout=0 tools/stack/tests/drill_admission.py services/token/tests/protocol/drill_kubernetes_tokens.py

release: install ## make a release below dist, and push its images: make release [DRY=1] [REPOSITORY=registry.example.org/portico]
	@$(BIN)/python scripts/release.py $(if $(filter 1,$(DRY)),--dry) $(call given,REPOSITORY,--repository)

memory: install ## memory of the services before and after load, without limits: make memory [PEOPLE=100000] [ROUNDS=12] (over an hour)
	@scripts/wrk.sh
	@$(BIN)/python -m bench --no-limit --no-part-load --people $(PEOPLE) --population .portico/memory-population --rounds $(ROUNDS) \
	    --seconds 10 --json .portico/memory.json $(ARGS)

million: install ## pages and requests with a million people and ten million events, compared with 10,000: make million [ARGS="pages --people 100000 --events 1000000"], or requests of a directory [ARGS="scim --small 1000 --people 100000"], or every page that has a link [ARGS=every] (half an hour the first time, 15 GB)
	@scripts/wrk.sh
	@$(BIN)/python -m bench.million $(or $(ARGS),pages requests)

screens: install tools ## a picture of every page, in light, dark, narrow and right to left: make screens [FOLDER=.portico/screens]
	@PORTICO_TEST_SCREENS=$(or $(FOLDER),.portico/screens) $(BIN)/python -m pytest -q -n 0 tests-e2e/test_accessibility.py tests-e2e/test_console_pages.py tests-e2e/test_states.py
	@$(BIN)/python -m portico_scenarios.contact_sheet $(or $(FOLDER),.portico/screens)

pictures: install tools ## the four pictures of the README again, in docs/pictures (three minutes)
	@PORTICO_TEST_SCREENS=.portico/screens $(BIN)/python -m pytest -q -n 0 tests-e2e/test_console_pages.py \
	    "tests-e2e/test_accessibility.py::test_pages_have_no_accessibility_violations[en]"
	@$(BIN)/python -m portico_scenarios.contact_sheet .portico/screens docs/pictures
	@$(BIN)/python scripts/pictures.py

schemathesis: install tools ## every operation of the management API with hundreds of values (ten minutes)
	@PORTICO_TEST_EXAMPLES=100 $(BIN)/python -m pytest -s tests-e2e/test_management_document.py

mutants: install ## remove the listed rules, one at a time, and see the tests notice: make mutants [ARGS="token/"]
	@$(BIN)/python -m mutants $(ARGS)

ha-tests: install tools ## the end-to-end tests on three MongoDB, nine Redis and three NATS: make ha-tests [ARGS=tests-e2e/test_grants.py] [WITHOUT=mongo-1]
	@PORTICO_TEST_PROFILE=ha PORTICO_TEST_WITHOUT=$(WITHOUT) $(BIN)/python -m pytest $(or $(ARGS),tests-e2e)

drills: install tools mutants ## mutants; every fault drill by its id and what held; races, kills and malformed requests at full size; Apache (over an hour)
	@PORTICO_TEST_DRILL_SECONDS=60 PORTICO_TEST_DRILL_WRITES=1500 PORTICO_TEST_WINDOWS=3 PORTICO_TEST_WINDOW_REVOCATIONS=100 \
	    $(BIN)/python -m pytest -q -s -n 0 --drills $(PARTS) tests-e2e
	@PORTICO_TEST_RACERS=1000 $(BIN)/python -m pytest -s tests-e2e/test_creation_races.py
	@PORTICO_TEST_CREATIONS=10000 $(BIN)/python -m pytest -s tests-e2e/test_creation_drill.py
	@PORTICO_TEST_MALFORMED=20000 $(BIN)/python -m pytest -s tests-e2e/test_malformed_calls.py
	@PORTICO_TEST_PEOPLE=2000 $(BIN)/python -m pytest tests-e2e/test_cached_users_population.py
	@if [ -x $(APACHE)/usr/sbin/apache2 ] && [ -f $(APACHE)/usr/lib/apache2/modules/mod_auth_openidc.so ]; \
	then PORTICO_TEST_APACHE=$(APACHE)/ $(BIN)/python -m pytest tests-e2e/clients/drill_apache.py; \
	else echo "Left out: Apache with mod_auth_openidc is not installed (apache2-bin, libapache2-mod-auth-openidc)."; fi

upgrade: install tools ## the last release and this one side by side under load, and the last two one after the other, there and back: make upgrade [SECONDS_EACH=10]
	@PORTICO_TEST_DRILL_SECONDS=$(or $(SECONDS_EACH),10) $(BIN)/python -m pytest -q -s -n 0 -o faulthandler_timeout=0 tests-e2e/drill_upgrade.py tests-e2e/drill_way_back.py

traefik: install tools ## the Traefik of the guide in front of a stack: sign-in, clients, addresses, gRPC (builds it the first time, nine minutes, Go 1.25)
	@$(BIN)/python -m pytest -q -n 0 -o faulthandler_timeout=0 tests-e2e/drill_traefik.py

stores: install ## what is tested on the Valkey of the lock file, on another server: make stores SERVER=/usr/bin/redis-server
	@PORTICO_STACK_REDIS_SERVER='$(or $(SERVER),$(error Name a server: make stores SERVER=/usr/bin/redis-server))' $(BIN)/python -m pytest -q -n 2 $(ON_REDIS)

compose: install ## docker-compose.yml by a Docker engine: signs in, kills each container; and the one container (needs an engine)
	@$(BIN)/python -m pytest -q -n 0 tests-e2e/drill_compose.py tests-e2e/drill_container.py

tools: ## install Chromium, HAProxy, nginx, slapd, Redis, Valkey, libraries for browser and API and wrk when they are missing and we may
	@scripts/browser.sh
	@scripts/haproxy.sh
	@scripts/ldap.sh
	@scripts/nginx.sh
	@scripts/valkey.sh
	@scripts/node_libraries.sh
	@scripts/wrk.sh

clean: ## remove the environment, data and caches
	@rm -rf $(VENV) .portico .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: help install up dev test test-all unit unit-on image-python on-image-python check messages gen format docs lock bench memory million screens pictures schemathesis mutants ha-tests drills stores compose tools clean release alerts admission upgrade traefik checked compiled tested
