import { hrefTo } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { FindField, useFind } from '../../parts/find-field';
import { Answered, Empty } from '../../parts/states';
import { counted, valueText, visible } from '../../parts/text';
import { useAnswer } from '../../service/use-answer';
import type { Settings } from '../../service/shapes';
import type { PageProps } from '../page-props';

/** Lists the settings that the service uses, and the origin of each. */
export function SettingsPage({ address }: PageProps) {
  const find = useFind(address);
  const { text } = find;
  const settings = useAnswer<Settings>('nodeledger/v1/settings');
  return (
    <>
      <PageHead
        above={
          <a class="link" href={hrefTo(['operation'])}>
            Operation
          </a>
        }
        title={<h1>Settings</h1>}
        below="In force in this process. Secrets are masked."
      />
      <Card
        title="Settings"
        note={settings.data === undefined ? undefined : counted(settings.data.settings.length, 'setting')}
        end={<FindField find={find} label="Find a setting" placeholder="Name" />}
      >
        <Answered answer={settings} lines={12}>
          {({ settings: rows }) => {
            const words = text.trim().toLowerCase();
            const found = rows.filter(({ name }) => name.toLowerCase().includes(words));
            return found.length === 0 ? (
              <Empty title={`No setting contains “${visible(words)}”`} />
            ) : (
              <table class="fold simple">
                <thead>
                  <tr>
                    <th>Name</th>
                    <th>Value</th>
                    <th>From</th>
                  </tr>
                </thead>
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
