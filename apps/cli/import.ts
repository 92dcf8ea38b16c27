import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { amount } from './amounts';
import { type ServiceFlags, withService } from './http-client';
import { sendArchive } from './import/send-archive';
import { stoppable } from './maintenance/interruption';
import { print } from './print';

interface ImportFlags extends ServiceFlags {
  readonly json?: true;
}

export function importCommand(): Command {
  return withService(new Command('import'))
    .argument('<file>', 'the archive, a tar.gz file; - reads standard input')
    .option('--json', 'print JSON, even on a terminal')
    .addHelpText(
      'after',
      '\nIf an import is interrupted, run it again. Documents that are already stored are not stored again.',
    )
    .action(async (file: string, flags: ImportFlags) => {
      const outcome = await importFile(file, flags);
      if (outcome === undefined) return;
      print(outcome, flags, () => importedText(outcome));
    });
}

export interface ImportOutcome {
  readonly documents: number;
  readonly known: number;
  readonly passed_over: number;
}

export function importedText({ documents, known, passed_over }: ImportOutcome): string {
  const others =
    passed_over === 0 ? '' : `; ${amount(passed_over, 'other entry').replace(/entrys$/, 'entries')} passed over`;
  return `${amount(documents, 'document')} in the log: ${documents - known} new, ${known} stored before${others}\n`;
}

async function importFile(file: string, service: ServiceFlags): Promise<ImportOutcome | undefined> {
  const size = file === '-' ? undefined : (await stat(file)).size;
  const source = file === '-' ? process.stdin : createReadStream(file);
  return stoppable(
    'What was sent is stored; repeat the import to send the rest.',
    async ({ interruption: { signal }, display }) => {
      async function* shown(): AsyncGenerator<Buffer> {
        let done = 0;
        for await (const piece of source as AsyncIterable<Buffer>) {
          done += piece.length;
          if (size !== undefined) display.show({ step: 'import', done, total: size, unit: 'bytes' });
          yield piece;
        }
      }
      return readImported(await sendArchive(service, shown(), signal));
    },
    () => true,
  ).finally(() => source.destroy());
}

const numberIn = (text: string, name: string): number => Number(new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1] ?? 0);

const readImported = (text: string): ImportOutcome => ({
  documents: numberIn(text, 'documents'),
  known: numberIn(text, 'known'),
  passed_over: numberIn(text, 'passed-over'),
});
