/** Who may import whom (ARCHITECTURE.md, "Who may import whom"). Run by `npm run imports:check`. */
const lib = (names) => `^libs/(${names})/`;
const only = (from, allowed) => ({
  name: `${from}-imports`,
  severity: 'error',
  comment: `libs/${from} may import: ${allowed || 'nothing'}`,
  from: { path: lib(from) },
  to: { path: '^(libs|apps|migrations)/', pathNot: lib(allowed ? `${from}|${allowed}` : from) },
});
const door = (name, packages, doors) => ({
  name: `${name}-door`,
  severity: 'error',
  comment: `${packages} is imported in ${doors} only`,
  from: { path: '^(apps|libs|migrations)/', pathNot: doors },
  to: { path: `node_modules/(${packages})/` },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'nothing-imports-tools',
      severity: 'error',
      from: { path: '^(apps|libs|migrations)/' },
      to: { path: '^tools/' },
    },
    { name: 'nothing-imports-apps', severity: 'error', from: { path: '^(libs|migrations)/' }, to: { path: '^apps/' } },
    {
      name: 'console-imports',
      severity: 'error',
      comment: 'the console knows the service by its HTTP interface only, and the service does not know the console',
      from: { path: '^apps/console/' },
      to: { path: '^(apps|libs|migrations|tools)/|^node:', pathNot: '^apps/console/' },
    },
    {
      name: 'nothing-imports-console',
      severity: 'error',
      from: { path: '^(apps|libs|migrations|tools)/', pathNot: '^apps/console/' },
      to: { path: '^apps/console/' },
    },
    {
      name: 'editor-on-its-page-only',
      severity: 'error',
      comment: 'only the query page loads CodeMirror, when it is opened',
      from: { path: '^apps/console/', pathNot: '^apps/console/pages/query/editor\\.ts$' },
      to: { path: 'node_modules/@(codemirror|lezer)/' },
    },
    only('fault', ''),
    only('limits', 'fault'),
    only('threads', 'fault'),
    only('config', 'fault|limits'),
    only('wire', 'fault|limits|openapi'),
    only('openapi', 'fault|limits'),
    only('observe', 'fault|openapi'),
    only('metrics', ''),
    only('openmetrics', ''),
    only('jolokia', 'fault|limits'),
    {
      ...only('database', 'fault|limits'),
      to: { path: '^(libs|apps)/', pathNot: lib('database|fault|limits') },
    },
    only('log', 'fault|limits|database'),
    only('http', 'fault|limits|observe'),
    only('access', 'fault|config|database|http'),
    only('tls', 'fault|config|http'),
    only('commands', 'fault|limits|threads|wire|log|http|database|observe|openapi'),
    only('projections', 'fault|limits|wire|log|database|observe'),
    only('http-client', ''),
    only('migrate', 'fault|wire|config|http-client'),
    only('backup', 'fault|limits|wire|log|database|projections'),
    only('query', 'fault|limits|threads|database|http|observe|openapi'),
    only('console-api', 'fault|limits|http|query|openapi|access'),
    only('changes', 'fault|limits|log|http|database|observe|openapi|access|projections|query'),
    only('admin', 'fault|wire|log|http|database|commands|projections|access|openapi'),
    only('archive', 'fault|limits|threads|wire|log|http|database|commands|projections|access|openapi'),
    {
      name: 'across-libs-by-name',
      severity: 'error',
      comment: "across libs import the lib's name (#name), which is its index.ts",
      from: { path: '^libs/([^/]+)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/([^/]+|database/sql-text)/index\\.ts$'] },
    },
    {
      name: 'apps-use-lib-names',
      severity: 'error',
      from: { path: '^apps/' },
      to: { path: '^libs/', pathNot: '^libs/([^/]+|archive/export|observe/http)/index\\.ts$' },
    },
    door('pg', 'pg|pg-copy-streams|typeorm', '^(libs/database/|migrations/)'),
    door('kafkajs', 'kafkajs', '^libs/log/kafka/'),
    door('opentelemetry', '@opentelemetry', '^libs/observe/tracing/'),
    door('cqrs', '@nestjs/cqrs', '^libs/(commands|query|admin|archive)/'),
    {
      name: 'pure',
      severity: 'error',
      comment:
        'limits, wire, metrics, openapi, openmetrics, jolokia, archive/{format,anonymize} and query/{pql,ast,entities,kinds,operators,plan,sql} are pure: no Nest, no files, no sockets',
      from: {
        path: [
          '^libs/(wire|limits|metrics|openapi|openmetrics|jolokia)/',
          '^libs/query/(pql|ast|entities|kinds|operators|plan|sql)/',
          '^libs/archive/(format|anonymize)/',
        ],
        pathNot: '\\.spec\\.ts$',
      },
      to: { path: ['node_modules/@nestjs/', '^(node:)?(fs|net|http|https|child_process|worker_threads)$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Specs and what they share may import anything.
    exclude: { path: ['^dist/', '\\.spec\\.ts$', '^libs/.+/testing/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
