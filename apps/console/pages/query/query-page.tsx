import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { go, hrefTo, hrefWith } from '../../address/address';
import { Bars } from '../../parts/bars';
import { Card, Choice, PageHead } from '../../parts/card';
import { CopyButton } from '../../parts/copy-button';
import { Icon } from '../../parts/icon';
import { Plot } from '../../parts/plot';
import { Empty, Loading } from '../../parts/states';
import { Shape } from '../../parts/status';
import { counted, excerpt, visible } from '../../parts/text';
import { clockWithSeconds, durationText, momentText } from '../../parts/moments';
import { post, Refusal, request, urlOf } from '../../service/ask';
import { rootQuery } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import type { QueryErrors, QueryLanguage } from '../../service/shapes';
import type { PageProps } from '../page-props';
import type { Editor } from './editor';
import { ranQueries, savedQueries } from './kept-queries';
import { ResultTable } from './result-table';
import { type Line, lineOfRows } from './line-of-rows';
import { barsOfRows } from './row-bars';

type Lang = 'pql' | 'ast';
const views = ['table', 'chart', 'json'] as const;
type View = (typeof views)[number];

/** The page shows at most this many rows. The CSV file contains all rows. */
const mostRows = 5_000;

interface Result {
  readonly query: string;
  readonly rows: readonly unknown[];
  readonly isCut: boolean;
  readonly at: number;
  readonly took: number;
}
interface Failure {
  readonly message: string;
  readonly line?: number;
  readonly instead?: string | null;
}

const samples: readonly (readonly [string, string])[] = [
  ['Failed nodes', 'nodes[certname, report_timestamp] {\n  latest_report_status = "failed"\n  order by certname\n}'],
  [
    'Nodes by operating system',
    'inventory[facts.os.name, facts.os.release.full, count()] {\n  group by facts.os.name, facts.os.release.full\n}',
  ],
  ['Silent for 2 h', 'nodes[certname, report_timestamp] {\n  report_timestamp < now() - 2h\n}'],
  [
    'Changes of today',
    'events[certname, resource_type, resource_title, property, old_value, new_value] {\n  status = "success" and timestamp > now() - 24h\n  order by timestamp desc\n  limit 100\n}',
  ],
];

export function QueryPage({ address }: PageProps) {
  const addressQuery = address.params.get('q') ?? samples[0]![1];
  const lang: Lang = address.params.get('lang') === 'ast' ? 'ast' : 'pql';
  const view = views.find((name) => name === address.params.get('as')) ?? 'table';
  const [text, setText] = useState(addressQuery);
  const [result, setResult] = useState<Result>();
  const [failure, setFailure] = useState<Failure>();
  const [isRunning, setRunning] = useState(false);
  const [history, setHistory] = useState(() => ranQueries.read());
  const [saved, setSaved] = useState(() => savedQueries.read());
  const language = useAnswer<QueryLanguage>('nodeledger/v1/query-language');
  const current = useRef({ text, lang });
  current.current = { text, lang };

  const run = useCallback(async (query: string): Promise<void> => {
    setRunning(true);
    setFailure(undefined);
    const began = performance.now();
    try {
      const response = await request(rootQuery, { query, limit: mostRows + 1 });
      const rows = (await response.json()) as readonly unknown[];
      setResult({
        query,
        rows: rows.slice(0, mostRows),
        isCut: rows.length > mostRows,
        at: Date.now(),
        took: performance.now() - began,
      });
      setHistory(ranQueries.add(query));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setFailure({ message: error.message });
    }
    setRunning(false);
  }, []);
  // The address contains the query that the viewer ran last, so a change of the address runs the query in it.
  useEffect(() => {
    setText(addressQuery);
    if (address.params.has('q')) void run(addressQuery);
  }, [addressQuery, address.params.get('as_of')]);
  const submit = useCallback((): void => {
    const { text: query, lang: language } = current.current;
    const href = hrefTo(['query'], {
      q: query,
      lang: language === 'pql' ? undefined : language,
      as: view === 'table' ? undefined : view,
    });
    if (query === addressQuery && address.params.has('q')) void run(query);
    else go(href);
  }, [addressQuery, view, address]);

  const check = useCallback(async (query: string, signal: AbortSignal): Promise<QueryErrors['errors']> => {
    if (query.trim() === '') return [];
    try {
      const answer = await post<QueryErrors>('nodeledger/v1/query-check', { query });
      if (signal.aborted) return [];
      const [error] = answer.errors;
      setFailure(
        error === undefined ? undefined : { message: error.message, line: error.line, instead: error.instead },
      );
      return answer.errors;
    } catch {
      // If the check fails, the editor marks no errors. The answer to the query will report them.
      return [];
    }
  }, []);
  const editor = useRef<Editor | undefined>(undefined);
  return (
    <>
      <PageHead title={<h1>Query</h1>}>
        <button
          type="button"
          class="btn tiny"
          disabled={text.trim() === ''}
          onClick={() => setSaved(savedQueries.add(text))}
        >
          Save
        </button>
        <CopyButton words="As curl" text={() => curlOf(text)} />
        <CopyButton
          words="Copy the link"
          text={() => location.origin + hrefTo(['query'], { q: text, lang: lang === 'pql' ? undefined : lang })}
        />
      </PageHead>
      <div class="cols side">
        <aside class="stack" aria-label="Earlier queries and fields">
          <QueryList title="Begin with" queries={samples.map(([words, query]) => ({ words, query }))} />
          {saved.length > 0 && (
            <QueryList
              title="Saved in this browser"
              queries={saved.map(({ query }) => ({ words: excerpt(query, 60), query }))}
              onRemove={(query) => setSaved(savedQueries.remove(query))}
            />
          )}
          {history.length > 0 && (
            <QueryList
              title="Last"
              queries={history.map(({ query, at }) => ({ words: excerpt(query, 60), query, note: momentText(at) }))}
            />
          )}
          <Fields language={language.data} text={text} />
        </aside>
        <div class="stack">
          <section class="card editor-card" aria-label="Query">
            <header>
              <Choice<Lang>
                label="Language"
                chosen={lang}
                href={(name) => hrefWith(address, { lang: name === 'pql' ? undefined : name })}
                options={[
                  ['pql', 'PQL'],
                  ['ast', 'AST'],
                ]}
              />
              <div class="end">
                <button type="button" class="btn go" disabled={isRunning} onClick={submit}>
                  <Icon name="play" />
                  Run <span class="hide key-hint">Ctrl ↵</span>
                </button>
              </div>
            </header>
            <EditorFrame
              given={addressQuery}
              lang={lang}
              language={language.data}
              onText={setText}
              onRun={submit}
              check={check}
              editor={editor}
            />
            {failure !== undefined && (
              <div class="note bad" role="alert">
                <Shape tone="failed" />
                <span class="grow wrap-any">
                  {failure.line !== undefined && <b class="failed">Line {failure.line} </b>}
                  {visible(excerpt(shortened(failure), 600))}
                </span>
                {typeof failure.instead === 'string' && (
                  <button type="button" class="btn tiny" onClick={() => editor.current?.useFix()}>
                    Use <span class="mono">{failure.instead}</span> <kbd>Tab</kbd>
                  </button>
                )}
              </div>
            )}
          </section>
          {result === undefined ? (
            isRunning && <Loading />
          ) : (
            <Results result={result} view={view} isEdited={result.query !== text} address={address} />
          )}
        </div>
      </div>
    </>
  );
}

/** Omits the list of valid names if the page shows a suggestion. */
const shortened = ({ message, instead }: Failure): string =>
  typeof instead === 'string' ? (message.split(/(?<=\.) /)[0] ?? message) : message;

function Results({
  result,
  view,
  isEdited,
  address,
}: {
  readonly result: Result;
  readonly view: View;
  readonly isEdited: boolean;
  readonly address: PageProps['address'];
}) {
  const { rows, isCut, at, took, query } = result;
  return (
    <Card
      title={isCut ? `The first ${counted(rows.length, 'row')}` : counted(rows.length, 'row')}
      note={`as run at ${clockWithSeconds(at)}${isEdited ? ', before the last edit' : ''} · ${durationText(took)}`}
      end={
        <>
          <Choice<View>
            label="View"
            chosen={view}
            href={(name) => hrefWith(address, { as: name === 'table' ? undefined : name })}
            options={[
              ['table', 'Table'],
              ['chart', 'Chart'],
              ['json', 'JSON'],
            ]}
          />
          <a class="btn tiny" href={urlOf(rootQuery, { query, format: 'spreadsheet' }).href} download="answer.csv">
            CSV
          </a>
        </>
      }
    >
      {rows.length === 0 ? (
        <Empty title="No row">
          <p>The query is right, and nothing matches it.</p>
        </Empty>
      ) : view === 'json' ? (
        <pre class="payload in" tabIndex={0}>
          {visible(JSON.stringify(rows.slice(0, 500), null, 2))}
          {rows.length > 500 && `\n… ${rows.length - 500} more rows`}
        </pre>
      ) : view === 'chart' ? (
        <Chart rows={rows} />
      ) : (
        <ResultTable rows={rows} />
      )}
    </Card>
  );
}

function Chart({ rows }: { readonly rows: readonly unknown[] }) {
  const line = useMemo(() => lineOfRows(rows), [rows]);
  if (line !== undefined) return <LineChart line={line} />;
  const chart = barsOfRows(rows);
  if (chart === undefined)
    return (
      <Empty title="No column has a number in each row">
        <p>Ask for a number, for example with count().</p>
      </Empty>
    );
  const { column, bars } = chart;
  return (
    <>
      <p class="in small muted">
        {visible(column)}
        {rows.length > bars.length && `, of the first ${bars.length} rows`}
      </p>
      <div class="in">
        <Bars bars={bars} label={visible(column)} />
      </div>
    </>
  );
}

function LineChart({ line: { column, timeColumn, times, figures } }: { readonly line: Line }) {
  const data = useMemo((): [number[], number[]] => [[...times], [...figures]], [times, figures]);
  const span = times.at(-1)! - times[0]!;
  return (
    <>
      <p class="in small muted">
        {visible(column)} over {visible(timeColumn)}
      </p>
      <div class="in">
        <Plot
          label={`${visible(column)} over ${visible(timeColumn)}, from ${momentText(times[0]! * 1000)} to ${momentText(times.at(-1)! * 1000)}, at most ${Math.max(...figures)}`}
          step={span > 2 * 86_400 ? 86_400 : 1}
          data={data}
          options={({ colour }) => ({ series: [{}, { stroke: colour('--fill-data'), width: 2 }] })}
        />
      </div>
    </>
  );
}

function QueryList({
  title,
  queries,
  onRemove,
}: {
  readonly title: string;
  readonly queries: readonly { readonly words: string; readonly query: string; readonly note?: string }[];
  readonly onRemove?: (query: string) => void;
}) {
  return (
    <div class="facet">
      <h2 class="facet-title">{title}</h2>
      {queries.map(({ words, query, note }) => (
        <div key={query} class="row kept">
          <a class="grow" href={hrefTo(['query'], { q: query })} title={visible(query)}>
            <span class="trunc">{visible(words)}</span>
            {note !== undefined && <span class="n nowrap">{note}</span>}
          </a>
          {onRemove !== undefined && (
            <button
              type="button"
              class="btn tiny"
              aria-label={`Remove ${visible(words)}`}
              onClick={() => onRemove(query)}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
    </div>
  );
}

function Fields({ language, text }: { readonly language: QueryLanguage | undefined; readonly text: string }) {
  const name = /^\s*(?:\[\s*"from"\s*,\s*")?([a-z_]+)/.exec(text)?.[1];
  const entity = language?.entities.find((one) => one.name === name);
  if (entity === undefined) return null;
  return (
    <div class="facet">
      <h2 class="facet-title">Fields of {entity.name}</h2>
      {entity.fields.map((field) => (
        <span key={field.name} class="field-line">
          <span class="trunc">{field.name}</span>
          <span class="n">{field.kind}</span>
        </span>
      ))}
    </div>
  );
}

/**
 * Shows plain text until the editor is loaded. `given` is the query in the address. Typed text is never written back to
 * the editor, because the viewer can have typed more in the meantime.
 */
function EditorFrame({
  given,
  lang,
  language,
  onText,
  onRun,
  check,
  editor,
}: {
  readonly given: string;
  readonly lang: Lang;
  readonly language: QueryLanguage | undefined;
  readonly onText: (text: string) => void;
  readonly onRun: () => void;
  readonly check: (query: string, signal: AbortSignal) => Promise<QueryErrors['errors']>;
  readonly editor: { current: Editor | undefined };
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  const handlers = useRef({ onText, onRun, check });
  handlers.current = { onText, onRun, check };
  const known = useRef(language);
  known.current = language;
  const options = useMemo(
    () => ({
      onText: (value: string) => handlers.current.onText(value),
      onRun: () => handlers.current.onRun(),
      check: (query: string, signal: AbortSignal) => handlers.current.check(query, signal),
      language: () => known.current,
    }),
    [],
  );
  useEffect(() => {
    let isGone = false;
    void import('./editor').then(({ openEditor }) => {
      if (isGone || frame.current === null) return;
      editor.current = openEditor(frame.current, { ...options, text: given, lang });
      setThere(true);
    });
    return () => {
      isGone = true;
      editor.current?.close();
      editor.current = undefined;
    };
  }, []);
  useEffect(() => editor.current?.show(given), [given]);
  useEffect(() => editor.current?.speak(lang), [lang]);
  return (
    <div class="editor">
      {!isThere && <pre class="editor-wait">{visible(given)}</pre>}
      <div ref={frame} />
    </div>
  );
}

function curlOf(query: string): string {
  const quoted = `'${`query=${query}`.replaceAll("'", `'\\''`)}'`;
  return `curl -G ${urlOf(rootQuery).href} -H "Authorization: Bearer $NODELEDGER_TOKEN" --data-urlencode ${quoted}`;
}
