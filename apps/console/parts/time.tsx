import { useEffect, useState } from 'preact/hooks';
import { ageText, exactTime, momentText } from './moments';

/** One timer updates all ages on the page, so that they change together. */
const listeners = new Set<() => void>();
setInterval(() => {
  for (const listener of listeners) listener();
}, 10_000);

export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const listener = (): void => setNow(Date.now());
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, []);
  return now;
}

export function Age({ time }: { readonly time: string | null }) {
  const now = useNow();
  if (time === null) return <span class="faint">never</span>;
  return (
    <time dateTime={time} title={exactTime(time)}>
      {ageText(time, now)}
    </time>
  );
}

export function Moment({ time }: { readonly time: string }) {
  return (
    <time dateTime={time} title={exactTime(time)}>
      {momentText(time)}
    </time>
  );
}
