import { useEffect, useState } from 'preact/hooks';
import { go, hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Loading } from '../../parts/states';
import { bytes, counted, visible } from '../../parts/text';
import { Age, Moment } from '../../parts/time';
import { Value } from '../../parts/value';
import { post, Refusal, remove, request } from '../../service/ask';
import { useAnswer } from '../../service/use-answer';
import type { Letter } from '../../service/shapes';
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
        above={
          <a class="link" href={hrefTo(['operation'])}>
            Operation
          </a>
        }
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
      <Payload path={`${path}/payload`} />
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

/** Shows at most 200 kB of the payload as text. */
function Payload({ path }: { readonly path: string }) {
  const [text, setText] = useState<string>();
  useEffect(() => {
    void readPayload(path).then(setText, () => setText('The payload cannot be read.'));
  }, [path]);
  return (
    <Card title="Payload" note="as it was received">
      {text === undefined ? <Loading /> : <pre class="payload in">{visible(text)}</pre>}
    </Card>
  );
}

async function readPayload(path: string): Promise<string> {
  const response = await request(path);
  const stream = response.headers.get('content-type')?.includes('gzip')
    ? response.body!.pipeThrough(new DecompressionStream('gzip'))
    : response.body!;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (text.length < mostPayload) {
    const { done, value } = await reader.read();
    if (done) return indented(text);
    text += value;
  }
  void reader.cancel();
  return `${text.slice(0, mostPayload)}\n… the rest is not shown`;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
