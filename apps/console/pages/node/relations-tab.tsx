import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith, type Address } from '../../address/address';
import { Card } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { Answered, Empty } from '../../parts/states';
import { counted, countedRows, visible } from '../../parts/text';
import { type Ast, equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { Edge } from '../../service/shapes';
import { RelationGraph } from './relation-graph';

const most = 40;
const columns = ['source_type', 'source_title', 'target_type', 'target_title', 'relationship'];

/**
 * Shows only one resource and its direct neighbours, because the whole graph of a catalog would be too large to read.
 */
export function RelationsTab({ certname, address }: { readonly certname: string; readonly address: Address }) {
  const of = address.params.get('of') ?? 'Class[Main]';
  const centre = /^([^[]+)\[(.*)\]$/s.exec(of);
  const [text, setText] = useState(of);
  const [, type = '', title = ''] = centre ?? [];
  const side = (end: 'source' | 'target'): Ast => ['and', equal(`${end}_type`, type), equal(`${end}_title`, title)];
  const edges = useRows<Edge>(
    centre === null
      ? undefined
      : from(
          'edges',
          columns,
          ['and', equal('certname', certname), equal('node_state', 'any'), ['or', side('source'), side('target')]],
          {
            limit: 500,
          },
        ),
  );
  return (
    <Card
      title="Relations"
      note={countedRows(edges.data, 'neighbour')}
      end={
        <form
          class="field relation-of"
          onSubmit={(event) => {
            event.preventDefault();
            go(hrefWith(address, { of: text.trim() }));
          }}
        >
          <Icon name="search" />
          <input
            aria-label="Resource, as Type[title]"
            placeholder="Type[title]"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </form>
      }
    >
      {centre === null ? (
        <Empty title="Name a resource as Type[title]" />
      ) : (
        <Answered answer={edges} lines={6}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={`The catalog has no relation of ${visible(of)}`}>
                <a class="btn" href={hrefTo(['nodes', certname, 'resources'])}>
                  Choose a resource
                </a>
              </Empty>
            ) : (
              <>
                <RelationGraph
                  type={type}
                  title={title}
                  edges={rows.slice(0, most)}
                  hrefOf={(name) => hrefWith(address, { of: name })}
                />
                {rows.length > most && (
                  <p class="in muted small">{counted(rows.length - most, 'further neighbour')} not drawn.</p>
                )}
              </>
            )
          }
        </Answered>
      )}
    </Card>
  );
}
