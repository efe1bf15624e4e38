// Technical words, the common ones first: the generator draws early ones far more often, as in natural language.
const list = (words: string) =>
  words
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

export const TOOLS =
  list(`git, npm, docker, typescript, postgres, eslint, vitest, redis, kubernetes, webpack, vite, pytest, terraform,
  playwright, sqlite, nginx, prisma, cargo, bazel, helm, graphql, kafka, rabbitmq, grafana, prometheus, sentry, pnpm, poetry, gradle,
  maven, ansible, systemd, celery, django, fastapi, svelte, react, next.js, electron, tailwind, jest, cypress, mypy, ruff, clippy, tokio,
  grpc, protobuf, openapi, elasticsearch, clickhouse, mongodb, dynamodb, s3, cloudfront, lambda, github actions, gitlab ci, argo, vault`);

export const THINGS =
  list(`test, migration, config file, build, deploy script, endpoint, query, cache, lock file, schema, token, session,
  worker, queue, index, branch, commit, pipeline, container, environment variable, dependency, import, module, transaction, connection pool,
  webhook, retry, timeout, log line, feature flag, cron job, fixture, snapshot, mock, socket, certificate, header, cookie, redirect, upload,
  pagination, cursor, foreign key, trigger, enum, date parser, time zone, currency field, invoice, checkout form, search input, table view,
  sidebar, tooltip, modal dialog, keyboard shortcut, stylesheet, font, icon set, service worker, manifest, changelog, release tag, hot reload,
  source map, type guard, generic parameter, union type, promise chain, event emitter, stream, buffer, file watcher, symlink, permission bit`);

export const SYMPTOMS =
  list(`fails, hangs, times out, returns stale data, leaks memory, runs twice, is skipped, breaks on windows,
  passes locally but fails in CI, throws on an empty input, ignores the setting, loses the last record, deadlocks under load, is slow,
  reports the wrong line, swallows the error, overwrites local changes, drops unicode, rounds the amount wrongly, loops for ever,
  reconnects without backing off, keeps the port open, exceeds the rate limit, reads the wrong file, uses an outdated type`);

export const CAUSES =
  list(`the default changed in the last major version, two processes write the same file, the clock of the container is
  behind, the value is parsed as a string, the promise is not awaited, the index does not cover the filter, the variable is read at import
  time, the path is relative to the working directory, the cache key leaves out the locale, the hook runs before the mount, the type is
  widened to any, the transaction stays open across an await, the lock is never released after an exception, the glob matches generated
  files, the token expires during the run, the migration is not idempotent, the server compresses the stream twice`);

export const VERBS =
  list(`use, run, check, avoid, pin, wrap, rename, split, move, reset, generate, validate, mock, flush, await, close,
  escape, normalise, batch, debounce, log, retry, rebase, squash, vendor, index, cache, freeze, rotate, mount, drain, seed`);

export const PLACES =
  list(`before every commit, in the pre-push hook, on CI only, inside the container, at start-up, after the migration, in
  the shared helper, on the main thread, behind the proxy, for each tenant, in strict mode, during the release, from the repository root,
  when the cache is cold, in the integration tests, under the service account, on a clean checkout, with the production build`);

export const REASONS =
  list(`otherwise the next run sees the old state, because reviewers asked for it twice, since the tool gives no warning,
  or the rollback will not work, because the customer saw it first, as the team agreed in the last retrospective, since nobody notices
  until the nightly build, because it cost us a whole afternoon, as the documentation says the opposite, or the numbers drift apart`);

export const AREAS =
  list(`user, order, invoice, session, report, upload, search, billing, profile, audit, tenant, cart, export, sync,
  metrics, login, webhook, schedule, price, stock, coupon, refund, ledger, customer, address, shipment, review, message, thread, calendar,
  image, video, chart, widget, layout, theme, locale, quota, licence, device, sensor, event, ticket, comment, team, role,
  policy, secret, backup, snapshot, cluster, node, volume, route, domain, mail, template`);

export const PARTS =
  list(`Service, Handler, Store, Repository, Client, Parser, Cache, Queue, Worker, Mapper, Router, Guard, Factory, Loader,
  Builder, Reader, Writer, Observer, Registry, Resolver, Adapter, Validator, Scheduler, Provider, Monitor, Encoder, Session, Gateway`);

export const CATEGORIES = list(
  'testing, build, data, deployment, style, performance, security, tooling, api, ui',
);

export const PROJECTS =
  list(`github.com/acme/storefront, github.com/acme/billing, github.com/acme/gateway, gitlab.com/lab/pipeline,
  github.com/acme/mobile, github.com/oss/notes`);

export const BRANCHES = list('feature/new-checkout, fix/session-leak, chore/upgrade-node');
