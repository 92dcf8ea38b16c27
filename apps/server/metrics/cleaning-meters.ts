import { CleaningObserver, type CleaningStep, cleaningSteps, type CleanRequest } from '#admin';
import { MeterSet, Stopwatch, Timer } from '#metrics';

/**
 * Steps that PuppetDB's admin command calls `other`. The meter `other` also measures deletions for which PuppetDB has
 * no names.
 */
const collectingOther: readonly CleaningStep[] = [
  'collect_environments',
  'collect_producers',
  'collect_fact_paths',
  'collect_resource_contents',
];
const other: readonly CleaningStep[] = ['purge_dead_letters', 'purge_audit_log', ...collectingOther];

/** Only one cleaning runs at a time. */
export class CleaningMeters extends CleaningObserver {
  readonly steps = new MeterSet(['step'], () => new Timer());
  readonly other = new Timer();
  readonly otherCollection = new Timer();
  private readonly watch = new Stopwatch<CleaningStep>();
  private tasks = '';

  constructor() {
    super();
    for (const step of Object.keys(cleaningSteps)) this.steps.of(step);
  }

  /** PuppetDB's names for the tasks in the running cleaning. */
  get underWay(): string {
    return this.tasks;
  }

  of(step: CleaningStep): Timer {
    return this.steps.of(step);
  }

  override started(request: CleanRequest): void {
    this.tasks = tasksOf(request);
    this.watch.begin();
  }

  override did(step: CleaningStep): void {
    this.watch.did(step);
  }

  override ended(done: boolean): void {
    this.tasks = '';
    const { times } = this.watch;
    for (const [step, ms] of times) this.of(step).record(ms);
    if (!done) return;
    const found = (steps: readonly CleaningStep[]): number[] => steps.flatMap((step) => times.get(step) ?? []);
    record(this.other, found(other));
    record(this.otherCollection, found(collectingOther));
  }
}

function record(timer: Timer, times: readonly number[]): void {
  if (times.length > 0) timer.record(times.reduce((sum, ms) => sum + ms, 0));
}

const tasksOf = ({ expireNodes, collectPackages, collectOther, purgeNodes, ...rest }: CleanRequest): string =>
  [
    expireNodes && 'expiring-nodes',
    rest.collectResources && !collectOther && 'catalog-gc',
    rest.collectPaths && !collectOther && 'fact-paths-gc',
    collectPackages && 'package-gc',
    collectOther && 'other',
    purgeNodes !== undefined && 'purging-nodes',
    rest.purgeReports && 'purging-reports',
    rest.purgeEvents && !rest.purgeReports && 'purging-resource-events',
  ]
    .filter((task) => task !== false)
    .join(' ');
