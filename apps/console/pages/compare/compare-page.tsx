import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { Card, Choice, PageHead, Tabs } from '../../parts/card';
import { NodeName } from '../../parts/node-name';
import { Answered, Empty } from '../../parts/states';
import { momentText } from '../../parts/moments';
import { count, counted, visible } from '../../parts/text';
import { currentAsOf } from '../../service/as-of';
import { from } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';
import { useRows } from '../../service/use-rows';
import type { Differences } from '../../service/shapes';
import type { PageProps } from '../page-props';
import { AllFacts } from './all-facts';
import { type DifferenceRow, edgeRows, factRows, packageRows, resourceRows } from './difference-rows';
import { DifferenceTable } from './difference-table';
import { sideParameter, readSide, type Side, typedTime, writeSide } from './side';

const diffPath = 'nodeledger/v1/diff';

const parts = {
  facts: { words: 'Facts', noun: 'value', rows: ({ facts = [] }: Differences) => factRows(facts) },
  resources: {
    words: 'Resources',
    noun: 'resource',
    rows: ({ resources = [] }: Differences) => resourceRows(resources),
  },
  edges: { words: 'Relations', noun: 'relation', rows: ({ edges = [] }: Differences) => edgeRows(edges) },
  packages: { words: 'Packages', noun: 'package', rows: ({ packages = [] }: Differences) => packageRows(packages) },
} as const;
type Part = keyof typeof parts;
const names = Object.keys(parts) as Part[];

export function ComparePage({ address }: PageProps) {
  const asOf = currentAsOf();
  const [a, b] = [readSide(address.params.get('a') ?? '', asOf), readSide(address.params.get('b') ?? '', asOf)];
  const isReady = a.certname !== '' && b.certname !== '';
  return (
    <>
      <PageHead
        title={<h1>Compare</h1>}
        below={
          a.certname === b.certname && isReady
            ? 'A node at two times'
            : 'Two nodes, or a node at two times: only what differs is shown'
        }
      />
      <Choose key={`${writeSide(a)} ${writeSide(b)}`} a={a} b={b} address={address} />
      {isReady && <Compared a={a} b={b} address={address} />}
    </>
  );
}

function Compared({ a, b, address }: { readonly a: Side; readonly b: Side; readonly address: Address }) {
  const part = names.find((name) => name === address.params.get('part')) ?? 'facts';
  const isAll = part === 'facts' && address.params.get('show') === 'all';
  // Each part has its own request, so that the other parts are shown even if one part has too many differences.
  const answers = {
    facts: useDifferences(a, b, 'facts'),
    resources: useDifferences(a, b, 'resources'),
    edges: useDifferences(a, b, 'edges'),
    packages: useDifferences(a, b, 'packages'),
  };
  const { words, noun } = parts[part];
  const answer = answers[part];
  const figureOf = (name: Part): string | undefined => {
    const { data } = answers[name];
    return data === undefined ? undefined : count(data[name]?.length ?? 0);
  };
  return (
    <>
      <Tabs<Part>
        label="What is compared"
        chosen={part}
        href={(name) => hrefWith(address, { part: name === 'facts' ? undefined : name })}
        tabs={names.map((name) => [name, parts[name].words, figureOf(name)])}
      />
      <Card
        title={words}
        note={answer.data === undefined ? undefined : `${counted(answer.data[part]?.length ?? 0, noun)} different`}
        end={
          part === 'facts' && (
            <Choice
              label="Show"
              chosen={isAll ? 'all' : 'differences'}
              href={(name) => hrefWith(address, { show: name === 'all' ? 'all' : undefined })}
              options={[
                ['differences', 'Differences'],
                ['all', 'All'],
              ]}
            />
          )
        }
      >
        <Answered answer={answer} lines={10}>
          {(found) => {
            const rows: readonly DifferenceRow[] = parts[part].rows(found);
            const heads = [<SideName key="a" side={a} />, <SideName key="b" side={b} />] as const;
            if (isAll) return <AllFacts a={a} b={b} heads={heads} />;
            if (rows.length === 0) return <Empty title={`All ${words.toLowerCase()} are equal`} />;
            return <DifferenceTable rows={rows} heads={heads} />;
          }}
        </Answered>
      </Card>
    </>
  );
}

const useDifferences = (a: Side, b: Side, part: Part) =>
  useAnswer<Differences>(diffPath, { a: sideParameter(a), b: sideParameter(b), part }, { keepOld: false });

function SideName({ side: { certname, time } }: { readonly side: Side }) {
  return (
    <>
      <NodeName name={certname} />{' '}
      <a class="small muted" href={hrefTo(['nodes', certname], { as_of: time })}>
        {timeText(time)}
      </a>
    </>
  );
}

const timeText = (time: string | undefined): string =>
  time === undefined ? 'now' : Number.isNaN(Date.parse(time)) ? visible(time) : momentText(time);

function Choose({ a, b, address }: { readonly a: Side; readonly b: Side; readonly address: Address }) {
  const [one, setOne] = useState(() => typedSide(a));
  const [other, setOther] = useState(() => typedSide(b));
  const [problem, setProblem] = useState<string>();
  const names = useRows<{ certname: string }>(
    from('nodes', ['certname'], undefined, { order: ['certname'], limit: 2000 }),
  );
  const compare = (): void => {
    const sides = [one, other].map(({ name, time, known }) => ({
      certname: name.trim(),
      // The text field shows no milliseconds, so the time of an unedited field is taken from the address.
      time: time === known?.text ? known.time : typedTime(time),
    }));
    if (sides.some(({ time }) => time === null))
      setProblem('Type a time such as "2 days ago", "thu 14:10", "yesterday 8:30", "2026-11-19 14:10" or "now".');
    else {
      const [first, second] = sides as [Side, Side];
      go(hrefWith(address, { a: writeSide(first), b: writeSide(second) }));
    }
  };
  return (
    <form
      class="row wrap choose"
      onSubmit={(event) => {
        event.preventDefault();
        compare();
      }}
    >
      <datalist id="certnames">
        {(names.data ?? []).map(({ certname }) => (
          <option key={certname} value={certname} />
        ))}
      </datalist>
      <SideField mark="A" label="First" side={one} onSide={setOne} />
      <button
        type="button"
        class="btn plain"
        aria-label="Exchange the two sides"
        onClick={() => go(hrefWith(address, { a: writeSide(b), b: writeSide(a) }))}
      >
        ⇄
      </button>
      <SideField mark="B" label="Second" side={other} onSide={setOther} />
      <button type="submit" class="btn go" disabled={one.name.trim() === '' || other.name.trim() === ''}>
        Compare
      </button>
      {problem !== undefined && (
        <p class="small failed" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

interface TypedSide {
  readonly name: string;
  readonly time: string;
  /** The time in the address, and the text that the text field shows for this time. */
  readonly known: { readonly text: string; readonly time: string | undefined };
}

function typedSide({ certname, time }: Side): TypedSide {
  const text = timeText(time);
  return { name: certname, time: text, known: { text, time } };
}

interface SideFieldProps {
  readonly mark: string;
  readonly label: string;
  readonly side: TypedSide;
  readonly onSide: (side: TypedSide) => void;
}

function SideField({ mark, label, side, onSide }: SideFieldProps) {
  return (
    <div class="field grow">
      <span>{mark}</span>
      <input
        class="mono"
        list="certnames"
        aria-label={`${label} node`}
        placeholder="certname"
        autocomplete="off"
        spellcheck={false}
        value={side.name}
        onInput={({ currentTarget }) => onSide({ ...side, name: currentTarget.value })}
      />
      <input
        class="time"
        aria-label={`Time of the ${label.toLowerCase()} node`}
        placeholder="now"
        autocomplete="off"
        value={side.time}
        onInput={({ currentTarget }) => onSide({ ...side, time: currentTarget.value })}
      />
    </div>
  );
}
