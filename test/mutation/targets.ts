/** The sources that are mutated, each with the specs that must notice the mutations, the fastest first. */
export interface Target {
  readonly source: string;
  readonly specs: readonly string[];
}

const target = (source: string, ...specs: string[]): Target => ({ source, specs });

const projections = 'libs/projections';
const log = 'libs/log';
const query = 'libs/query';
const embeddedLog = [
  `${log}/embedded/read-statements.spec.ts`,
  `${log}/embedded/bases.int.spec.ts`,
  `${log}/embedded/appended-records.int.spec.ts`,
  `${log}/embedded/embedded-command-log.int.spec.ts`,
  `${log}/embedded/embedded-base.int.spec.ts`,
];
const conditions = [
  `${query}/condition-text.spec.ts`,
  `${query}/compile.spec.ts`,
  `${query}/sql/conjunction.spec.ts`,
  `${query}/condition-rows.int.spec.ts`,
  `${query}/conditions.int.spec.ts`,
  `${query}/operators/refuse-operator.spec.ts`,
  `${query}/exactness.int.spec.ts`,
];
const batches = [
  `${projections}/batch.int.spec.ts`,
  `${projections}/shared-rows.int.spec.ts`,
  `${projections}/projector.int.spec.ts`,
  `${projections}/lifecycle/lifecycle.int.spec.ts`,
  `${projections}/dead-letters/dead-letters.int.spec.ts`,
  `${projections}/dead-letters/forget-letters.int.spec.ts`,
  `${projections}/collection/collect-shared-rows.int.spec.ts`,
];
const operators = [`${query}/pql/parse-pql.spec.ts`, ...conditions];

export const targets: readonly Target[] = [
  target(`${projections}/fold.ts`, `${projections}/fold-rows.spec.ts`, `${projections}/fold.spec.ts`),
  target(
    `${projections}/maintenance/maintenance-changes.ts`,
    `${projections}/maintenance/age-limits.int.spec.ts`,
    `${projections}/lifecycle/lifecycle.int.spec.ts`,
    `${projections}/dead-letters/forget-letters.int.spec.ts`,
  ),

  target(`${projections}/fold-records.ts`, ...batches),
  target(`${projections}/batch.ts`, ...batches),
  target(
    `${projections}/projector/batch-applier.ts`,
    `${projections}/projector/batch-applier.int.spec.ts`,
    `${projections}/poison.int.spec.ts`,
    `${projections}/shared-rows.int.spec.ts`,
    `${projections}/blameless.int.spec.ts`,
    `${projections}/collection/collect-shared-rows.int.spec.ts`,
  ),
  target(`${projections}/projector/batch-size.ts`, `${projections}/projector/batch-size.spec.ts`),
  target(`${projections}/projector/record-runs.ts`, `${projections}/projector/record-runs.spec.ts`),

  target(
    'libs/database/positions.ts',
    'libs/database/positions.int.spec.ts',
    'libs/database/control-tables.int.spec.ts',
  ),
  target('libs/database/position-waits.ts', 'libs/database/position-waits.int.spec.ts'),
  target(
    `${projections}/projector/watched-positions.ts`,
    `${projections}/projector/watched-positions.int.spec.ts`,
    `${projections}/set-back.int.spec.ts`,
  ),

  target(`${log}/partition.ts`, `${log}/partition.spec.ts`),
  target(`${log}/append-queue.ts`, `${log}/append-queue.spec.ts`),
  target(`${log}/queue-budget.ts`, `${log}/queue-budget.spec.ts`),
  target(`${log}/round-robin.ts`, `${log}/round-robin.spec.ts`),
  target(`${log}/embedded/bases.ts`, ...embeddedLog),
  target(`${log}/embedded/embedded-command-log.ts`, ...embeddedLog),
  target(`${log}/embedded/embedded-reader.ts`, ...embeddedLog),
  target(`${log}/embedded/append-statement.ts`, ...embeddedLog),
  target(`${log}/embedded/read-statements.ts`, ...embeddedLog),
  target(`${log}/embedded/statements.ts`, ...embeddedLog),
  target(`${log}/embedded/store-failures.ts`, `${log}/embedded/store-failures.spec.ts`),

  target(`${query}/ast/check-condition.ts`, `${query}/ast/parse-ast.spec.ts`, ...conditions),
  target(`${query}/plan/plan-condition.ts`, ...conditions),
  target(`${query}/kinds/scalar.ts`, ...conditions),
  target(`${query}/kinds/text.ts`, ...conditions),
  target(`${query}/kinds/json-value.ts`, ...conditions),
  target(`${query}/kinds/member.ts`, ...conditions),
  target(`${query}/kinds/path.ts`, ...conditions),
  target(`${query}/plan/node-state.ts`, ...conditions),
  target(`${query}/operators/equality.ts`, ...operators),
  target(`${query}/operators/matching.ts`, ...operators),
  target(`${query}/operators/null-test.ts`, ...operators),
  target(`${query}/operators/ordering.ts`, ...operators),
  target(`${query}/sql/condition-sql.ts`, ...conditions),
  target(`${query}/sql/conjunction.ts`, ...conditions),
];
