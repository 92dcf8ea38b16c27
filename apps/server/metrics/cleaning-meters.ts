import { CleaningObserver, type CleaningStep, cleaningSteps, type CleanRequest } from '#admin';
import { MeterSet, Stopwatch, Timer } from '#metrics';

/**
 * The steps that PuppetDB's admin command calls `other`. The meter `other` also measures the deletion of old dead
 * letters and audit entries, for which PuppetDB has no names.
 */
const collectingOther: readonly CleaningStep[] = [
  'collect_environments',
  'collect_producers',
  'collect_fact_paths',
  'collect_resource_contents',
];
const other: readonly CleaningStep[] = ['purge_dead_letters', 'purge_audit_log', ...collectingOther];

/** Measures all cleanings, periodic and on request. Only one cleaning runs at a time. */
export class CleaningMeters extends CleaningObserver {
  readonly steps = new MeterSet(['step'], () => new Timer());
  /** Measures all steps that do not concern nodes, reports or packages. */
  readonly other = new Timer();
  readonly otherCollection = new Timer();
  private readonly watch = new Stopwatch<CleaningStep>();
  private tasks = '';

  constructor() {
    super();
    for (const step of Object.keys(cleaningSteps)) this.steps.of(step);
  }

  /** PuppetDB's names for the tasks in the running cleaning. Empty if no cleaning runs. */
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

/** Returns the names of the requested tasks, in PuppetDB's order. */
const tasksOf = ({ expireNodes, collectPackages, collectOther, purgeNodes, ...asked }: CleanRequest): string =>
  [
    expireNodes && 'expiring-nodes',
    asked.collectResources && !collectOther && 'catalog-gc',
    asked.collectPaths && !collectOther && 'fact-paths-gc',
    collectPackages && 'package-gc',
    collectOther && 'other',
    purgeNodes !== undefined && 'purging-nodes',
    asked.purgeReports && 'purging-reports',
    asked.purgeEvents && !asked.purgeReports && 'purging-resource-events',
  ]
    .filter((task) => task !== false)
    .join(' ');
