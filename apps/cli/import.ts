import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import { amount } from './amounts';
import { type ServiceFlags, withService } from './http-client';
import { EntryCounter } from './import/entry-counter';
import { sendArchive } from './import/send-archive';
import { Interruption } from './maintenance/interruption';
import { print } from './print';

interface ImportFlags extends ServiceFlags {
  readonly json?: true;
}

const stopped = 130;
const terminalMs = 200;
const elsewhereMs = 5_000;

/** `nodeledger import FILE`: sends an archive to a running service. */
export function importCommand(): Command {
  return withService(new Command('import'))
    .description('import an archive of this service, PuppetDB or OpenVoxDB into a running service')
    .argument('<file>', 'the archive, a tar.gz file; - reads standard input')
    .option('--json', 'print JSON, even on a terminal')
    .addHelpText('after', '\nAfter an interruption, repeat it: what is stored already is not stored again.')
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

/** The summary for people. */
export function importedText({ documents, known, passed_over }: ImportOutcome): string {
  const others =
    passed_over === 0 ? '' : `; ${amount(passed_over, 'other entry').replace(/entrys$/, 'entries')} passed over`;
  return `${amount(documents, 'document')} in the log: ${documents - known} new, ${known} stored before${others}\n`;
}

/** Undefined where a person stopped it. */
async function importFile(file: string, service: ServiceFlags): Promise<ImportOutcome | undefined> {
  const progress = new ImportProgress(file === '-' ? undefined : (await stat(file)).size);
  const interruption = new Interruption(() => undefined);
  const source = file === '-' ? process.stdin : createReadStream(file);
  try {
    const counter = new EntryCounter();
    const pieces = progress.following(counter.passing(source as AsyncIterable<Buffer>), counter);
    const { imported } = await sendArchive(service, pieces, interruption.signal);
    return readImported(imported);
  } catch (error) {
    if (!interruption.asked) throw error;
    progress.end();
    process.stderr.write('stopped. What was sent is stored; repeat the import to send the rest.\n');
    process.exitCode = stopped;
    return undefined;
  } finally {
    progress.end();
    source.destroy();
    interruption.end();
  }
}

const numberIn = (text: string, name: string): number => Number(new RegExp(`\\b${name}=(\\d+)`).exec(text)?.[1] ?? 0);

const readImported = (text: string): ImportOutcome => ({
  documents: numberIn(text, 'documents'),
  known: numberIn(text, 'known'),
  passed_over: numberIn(text, 'passed-over'),
});

/** On the standard error: one line that is written again on a terminal, a line every few seconds elsewhere. */
class ImportProgress {
  private bytes = 0;
  private shownAt = performance.now();
  private isShown = false;

  constructor(private readonly total: number | undefined) {}

  async *following(pieces: AsyncIterable<Buffer>, counter: { readonly count: number }): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.bytes += piece.length;
      this.show(counter.count);
      yield piece;
    }
  }

  end(): void {
    if (this.isShown && process.stderr.isTTY) process.stderr.write('\r\u001b[K');
    this.isShown = false;
  }

  private show(entries: number): void {
    const now = performance.now();
    const { isTTY } = process.stderr;
    if (now - this.shownAt < (isTTY ? terminalMs : elsewhereMs)) return;
    this.shownAt = now;
    this.isShown = true;
    const line = `import: ${megabytes(this.bytes)}${this.total === undefined ? '' : ` of ${megabytes(this.total)}`} MB, ${amount(entries, 'document')} sent`;
    process.stderr.write(isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  }
}

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
