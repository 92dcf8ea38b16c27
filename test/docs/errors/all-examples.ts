import { accessExamples } from './access-examples';
import { adminExamples } from './admin-examples';
import { backupExamples } from './backup-examples';
import { commandExamples, letterExamples } from './command-examples';
import type { Example } from './example';
import { httpExamples } from './http-examples';
import { LittleService } from './little-service';
import { maintenanceExamples } from './maintenance-examples';
import { type AnsweredMistake, answeredMistakes } from './mistakes';
import { queryExamples } from './query-examples';
import { serviceExamples } from './service-examples';
import { storeExamples } from './store-examples';
import { tlsExamples } from './tls-examples';

export interface Recorded {
  readonly mistakes: readonly AnsweredMistake[];
  readonly examples: readonly Example[];
}

/** Causes every fault that a test can cause, one after the other, and records the messages. */
export async function allExamples(): Promise<Recorded> {
  const service = await LittleService.open();
  try {
    const mistakes = await answeredMistakes(service);
    const examples: Example[] = [];
    const failures: unknown[] = [];
    for (const record of [
      queryExamples,
      httpExamples,
      accessExamples,
      commandExamples,
      letterExamples,
      adminExamples,
      serviceExamples,
      tlsExamples,
      maintenanceExamples,
      backupExamples,
      storeExamples,
    ]) {
      await record(service).then(
        (recorded) => examples.push(...recorded),
        (error: unknown) => failures.push(error),
      );
    }
    if (failures.length > 0) throw new Error(failures.map((failure) => String(failure)).join('\n\n'));
    return { mistakes, examples };
  } finally {
    await service.close();
  }
}
