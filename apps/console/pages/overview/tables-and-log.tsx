import { hrefTo } from '../../address/address';
import { Card } from '../../parts/card';
import { Answered } from '../../parts/states';
import { Mark } from '../../parts/status';
import { count, counted } from '../../parts/text';
import { useAnswer } from '../../service/use-answer';
import { useSession } from '../../shell/session';
import { readServiceStatus, type ServicesAnswer } from '../operation/service-status';

export function TablesAndLog() {
  const { deadLetters } = useSession();
  const services = useAnswer<ServicesAnswer>('status/v1/services', {}, { every: 15 });
  const status = services.data === undefined ? undefined : readServiceStatus(services.data);
  return (
    <Card
      title="Tables and log"
      end={
        status !== undefined &&
        (status.waiting === 0 ? (
          <Mark tone="good" box>
            Up to date
          </Mark>
        ) : (
          <Mark tone="stale" box>
            {counted(status.waiting, 'record')} behind
          </Mark>
        ))
      }
    >
      <Answered answer={services} lines={2}>
        {(answer) => {
          const { waiting, alerts, state } = readServiceStatus(answer);
          return (
            <dl class="kv in">
              <dt>Waiting</dt>
              <dd>{waiting === 0 ? 'nothing: each query sees every accepted command' : counted(waiting, 'record')}</dd>
              <dt>Service</dt>
              <dd>{alerts.length === 0 ? state : alerts.map(({ message }) => message).join('; ')}</dd>
              {deadLetters !== undefined && (
                <>
                  <dt>Dead letters</dt>
                  <dd>
                    {deadLetters === 0 ? (
                      'none'
                    ) : (
                      <a class="link" href={hrefTo(['operation'])}>
                        {count(deadLetters)} to look at
                      </a>
                    )}
                  </dd>
                </>
              )}
            </dl>
          );
        }}
      </Answered>
    </Card>
  );
}
