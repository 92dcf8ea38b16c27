import type { Fleet, FleetDocument } from '#fleet';
import { driveFleet, type FleetPlan } from './drive';
import { encodeCommand, type ServerLink } from './server-link';
import type { Expected } from './visibility';

interface SubmitOptions {
  readonly gzip: boolean;
  /** Called after each command, whether the server accepted it or not. */
  readonly onStep?: () => void;
  /** `earlier` is the number of earlier failures. If this function throws an error, the whole plan ends. */
  readonly onFailure: (document: FleetDocument, error: unknown, earlier: number) => void;
}

interface Submitted {
  readonly accepted: Expected;
  readonly failures: number;
}

export async function submitPlan(
  link: ServerLink,
  fleet: Fleet,
  plan: FleetPlan,
  { gzip, onStep, onFailure }: SubmitOptions,
): Promise<Submitted> {
  const lastRun = plan.firstRun + plan.runs - 1;
  const accepted = { factsets: 0, catalogs: 0, reports: 0 };
  let failures = 0;
  await driveFleet(fleet, plan, async (document, run) => {
    const encoded = await encodeCommand(document, { gzip });
    try {
      await link.submit(encoded);
      if (document.command === 'store report') accepted.reports++;
      else if (run === lastRun && document.command === 'replace facts') accepted.factsets++;
      else if (run === lastRun) accepted.catalogs++;
    } catch (error) {
      onFailure(document, error, failures++);
    }
    onStep?.();
  });
  return { accepted, failures };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || String((error as NodeJS.ErrnoException).code) : String(error);
}
