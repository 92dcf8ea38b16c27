import { useState } from 'preact/hooks';
import { go, hrefTo, hrefWith } from '../../address/address';
import { Card, PageHead } from '../../parts/card';
import { Icon } from '../../parts/icon';
import { Answered, Empty } from '../../parts/states';
import { counted, valueText, visible } from '../../parts/text';
import { useAnswer } from '../../service/use-answer';
import type { Settings } from '../../service/shapes';
import type { PageProps } from '../page-props';

/** The settings in force, and where each comes from. */
export function SettingsPage({ address }: PageProps) {
  const [text, setText] = useState(address.params.get('find') ?? '');
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
        end={
          <label class="field">
            <Icon name="search" />
            <input
              type="search"
              aria-label="Find a setting"
              placeholder="Name"
              value={text}
              onInput={({ currentTarget }) => {
                setText(currentTarget.value);
                go(hrefWith(address, { find: currentTarget.value }), { replace: true });
              }}
            />
          </label>
        }
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
