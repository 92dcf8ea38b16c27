import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { ResourceName } from '../../parts/resource-name';
import { Answered } from '../../parts/states';
import { countedRows, excerpt, visible } from '../../parts/text';
import { equal, from } from '../../service/ast';
import { useRows } from '../../service/use-rows';
import type { ReportEvent } from '../../service/shapes';

export function BrokenNow({ hash }: { readonly hash: string }) {
  const events = useRows<Pick<ReportEvent, 'resource_type' | 'resource_title' | 'message'>>(
    from(
      'events',
      ['resource_type', 'resource_title', 'message'],
      ['and', equal('report', hash), equal('status', 'failure')],
      { order: ['timestamp'], limit: 20 },
    ),
  );
  return (
    <Card
      title="Broken now"
      note={countedRows(events.data, 'resource')}
      footer={
        <a class="link" href={hrefTo(['reports', hash])}>
          Open the report
        </a>
      }
    >
      <Answered answer={events} lines={3}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="in muted">The run itself failed, before it reached a resource.</p>
          ) : (
            <ul class="lines">
              {rows.map(({ resource_type: type, resource_title: title, message }) => (
                <li key={`${type}[${title}]`}>
                  <ResourceName type={type} title={title} />
                  {message !== null && <div class="small muted">{visible(excerpt(message, 140))}</div>}
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </Card>
  );
}
