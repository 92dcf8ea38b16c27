import { SharedAlert } from './shared-alert';

test('the alert shows the text of a part that has it, and ends with the last one', () => {
  const alerts: string[] = [];
  const alert = new SharedAlert(
    { raise: (_, { message }) => alerts.push(message), clear: () => alerts.push('over') },
    'projector.ended',
  );
  const [one, two] = [{}, {}];
  alert.raise(one, { message: 'one' });
  alert.raise(two, { message: 'two' });
  alert.clear({});
  alert.clear(two);
  alert.clear(one);
  expect(alerts).toEqual(['one', 'two', 'one', 'over']);
});
