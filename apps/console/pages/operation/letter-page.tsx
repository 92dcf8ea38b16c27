import { useEffect, useState } from 'preact/hooks';
import { go, hrefTo } from '../../address/address';
import { Card, ListLink, PageHead } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Loading } from '../../parts/states';
import { bytes, counted, visible } from '../../parts/text';
import { Age, Moment } from '../../parts/time';
import { Value } from '../../parts/value';
import { post, Refusal, remove, request } from '../../service/ask';
import { useAnswer } from '../../service/use-answer';
import type { Letter } from '../../service/shapes';
import { useSession } from '../../shell/session';
import type { PageProps } from '../page-props';
import { outcomeText, PurgeDialog } from './dead-letters';

const mostPayload = 200_000;

export function LetterPage({ address }: PageProps) {
  const [, , name = ''] = address.path;
  const path = `nodeledger/v1/dead-letters/${encodeURIComponent(name)}`;
  const letter = useAnswer<Letter>(path);
  const [said, setSaid] = useState<string>();
  const [isPurging, setPurging] = useState(false);
  const retry = async (): Promise<void> => {
    try {
      setSaid(outcomeText(await post(`${path}/retry`, undefined, { wait: 20 })));
      letter.again();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setSaid(error.message);
    }
  };
  return (
    <>
      <PageHead
        above={<ListLink path={['operation']}>Operation</ListLink>}
        title={<h1>Dead letter {visible(name)}</h1>}
        below={said === undefined ? ' ' : <span role="status">{visible(said)}</span>}
      >
        <button type="button" class="btn" onClick={() => void retry()}>
          Retry
        </button>
        <button type="button" class="btn danger" onClick={() => setPurging(true)}>
          Purge
        </button>
      </PageHead>
      <Card title="Error">
        <Answered answer={letter}>
          {(one) => (
            <div class="in stack">
              <p class="failed strong">
                <Value value={one.error} limit={4000} />
              </p>
              <dl class="kv">
                <dt>Command</dt>
                <dd>
                  {visible(one.command)} {one.version}
                </dd>
                <dt>Node</dt>
                <dd>
                  <NodeName name={one.certname} />
                </dd>
                <dt>Received</dt>
                <dd>
                  <Moment time={one.received_at} />
                </dd>
                <dt>Rejected</dt>
                <dd>
                  <Age time={one.last_rejected_at} />, {counted(one.attempts, 'try', 'tries')}
                </dd>
                <dt>Size</dt>
                <dd>{bytes(one.payload_bytes)}</dd>
              </dl>
            </div>
          )}
        </Answered>
      </Card>
      <Payload
        path={`${path}/payload`}
        letter={letter.data}
        onSubmitted={(text, isApplied) => {
          setSaid(text);
          if (isApplied) void remove(path).then(() => go(hrefTo(['operation'])));
        }}
      />
      {isPurging && (
        <PurgeDialog
          name={name}
          onClose={() => setPurging(false)}
          onPurge={() => void remove(path).then(() => go(hrefTo(['operation'])))}
        />
      )}
    </>
  );
}

/**
 * The viewer can correct a payload of at most 200 kB and submit it as a new command. The dead letter is purged when the
 * new command has been applied.
 */
function Payload({
  path,
  letter,
  onSubmitted,
}: {
  readonly path: string;
  readonly letter: Letter | undefined;
  readonly onSubmitted: (said: string, isApplied: boolean) => void;
}) {
  const [read, setRead] = useState<ReadPayload>();
  const [corrected, setCorrected] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { me } = useSession();
  useEffect(() => {
    void readPayload(path).then(setRead, () =>
      setRead({ text: 'The payload cannot be read.', isWhole: false, isText: true }),
    );
  }, [path]);
  const submit = async ({ command, version, certname }: Letter, payload: string): Promise<void> => {
    setBusy(true);
    const query = { command: command.replaceAll(' ', '_'), version, certname, secondsToWaitForCompletion: 20 };
    try {
      const headers = { 'content-type': 'application/json' };
      await request('pdb/cmd/v1', query, { method: 'POST', body: payload, headers });
      onSubmitted('Applied.', true);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // The service returns 503 without an error code if the command has no result after 20 s.
      if (error.status === 503 && error.code === undefined) {
        onSubmitted('Accepted, and still waiting. The letter stays. Do not submit it again.', false);
        return;
      }
      onSubmitted(`Not applied: ${error.message} The letter stays.`, false);
    }
    setBusy(false);
  };
  const mayCorrect = read?.isWhole === true && read.isText && letter !== undefined && me.may.includes('submit');
  const note =
    read?.isWhole === true && !read.isText
      ? 'not valid UTF-8, so it cannot be corrected here; invalid bytes are shown as \uFFFD'
      : 'as it was received';
  return (
    <Card
      title="Payload"
      note={corrected === undefined ? note : 'a new command replaces the letter'}
      end={
        corrected === undefined
          ? mayCorrect && (
              <button type="button" class="btn" onClick={() => setCorrected(read.text)}>
                Correct …
              </button>
            )
          : letter !== undefined && (
              <span class="row">
                <button type="button" class="btn" onClick={() => setCorrected(undefined)}>
                  Cancel
                </button>
                <button type="button" class="btn go" disabled={isBusy} onClick={() => void submit(letter, corrected)}>
                  Submit
                </button>
              </span>
            )
      }
    >
      {read === undefined ? (
        <Loading />
      ) : corrected === undefined ? (
        <pre class="payload in">{visible(indented(read.text))}</pre>
      ) : (
        <textarea
          class="field payload corrected"
          aria-label="Corrected payload"
          spellcheck={false}
          value={corrected}
          onInput={({ currentTarget }) => setCorrected(currentTarget.value)}
        />
      )}
    </Card>
  );
}

interface ReadPayload {
  readonly text: string;
  readonly isWhole: boolean;
  /**
   * True if the payload is UTF-8. A payload that is not UTF-8 cannot be edited as text, because the conversion to text
   * would change bytes.
   */
  readonly isText: boolean;
}

async function readPayload(path: string): Promise<ReadPayload> {
  const response = await request(path);
  const stream = response.headers.get('content-type')?.includes('gzip')
    ? response.body!.pipeThrough(new DecompressionStream('gzip'))
    : response.body!;
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  while (size <= mostPayload) {
    const { done, value } = await reader.read();
    if (done) return { ...decoded(await new Blob(parts).arrayBuffer()), isWhole: true };
    parts.push(value);
    size += value.byteLength;
  }
  void reader.cancel();
  const { text, isText } = decoded(await new Blob(parts).slice(0, mostPayload).arrayBuffer());
  return { text: `${text}\n… the rest is not shown`, isText, isWhole: false };
}

function decoded(bytes: ArrayBuffer): { readonly text: string; readonly isText: boolean } {
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes), isText: true };
  } catch {
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), isText: false };
  }
}

/** Use the result only for display, because JSON.parse changes numbers such as 1.0. */
function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
