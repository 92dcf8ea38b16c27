import { Card, ListLink, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { Answered, Empty } from '../../parts/states';
import { TableHead } from '../../parts/table-head';
import { countedRows, valueText, visible } from '../../parts/text';
import { useAnswer } from '../../service/use-answer';
import type { Settings } from '../../service/shapes';
import type { PageProps } from '../page-props';

export function SettingsPage({ address }: PageProps) {
  const find = useFind(address);
  const { words } = find;
  const settings = useAnswer<Settings>('nodeledger/v1/settings');
  return (
    <>
      <PageHead
        above={<ListLink path={['operation']}>Operation</ListLink>}
        title={<h1>Settings</h1>}
        below="In force in this process. Secrets are masked."
      />
      <Card
        title="Settings"
        note={countedRows(settings.data?.settings, 'setting')}
        end={<FindField find={find} label="Find a setting" placeholder="Name" />}
      >
        <Answered answer={settings} lines={12}>
          {({ settings: rows }) => {
            const found = rows.filter(({ name }) => name.toLowerCase().includes(words));
            return found.length === 0 ? (
              <Empty title={`No setting contains “${visible(words)}”`} />
            ) : (
              <table class="fold simple">
                <TableHead columns={['Name', 'Value', 'From']} />
                <tbody>
                  {found.map(({ name, value, from }) => (
                    <tr key={name} data-row>
                      <td class="mono small wide">{name}</td>
                      <td class="mono small">
                        {value === null || value === undefined ? (
                          <span class="faint">not set</span>
                        ) : (
                          visible(valueText(value))
                        )}
                      </td>
                      <td class={from === 'default' ? 'faint' : ''}>{from}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            );
          }}
        </Answered>
      </Card>
    </>
  );
}
