import { Card } from '../../parts/card';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { countedRows, visible } from '../../parts/text';
import { Value } from '../../parts/value';
import { equal } from '../../service/ast';
import { useAnswer } from '../../service/use-answer';

interface Row {
  readonly inputs: readonly (readonly [type: string, name: string])[];
}

/** Lists the inputs of the catalog: data, such as Hiera keys, that the server read when it compiled the catalog. */
export function InputsTab({ certname }: { readonly certname: string }) {
  const inputs = useAnswer<readonly Row[]>('pdb/query/v4/catalog-inputs', {
    query: JSON.stringify(equal('certname', certname)),
  });
  return (
    <Card title="Inputs of the catalog" note={countedRows(inputs.data?.[0]?.inputs, 'input')}>
      <Answered answer={inputs}>
        {([row]) =>
          row === undefined || row.inputs.length === 0 ? (
            <Empty title="The server has sent no inputs">
              <p>A server that runs the terminus of puppetdb 7 or later sends the keys that it looked up in Hiera.</p>
            </Empty>
          ) : (
            <table>
              <TableHead columns={['Kind', 'Name']} />
              <tbody>
                {row.inputs.map(([type, name]) => (
                  <tr key={`${type} ${name}`}>
                    <td class="muted">{visible(type)}</td>
                    <td class="mono">
                      <Value value={name} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answered>
    </Card>
  );
}
