import { hrefTo } from '../address/address';
import { visible } from './text';

export const resourceText = (type: string, title: string): string => visible(`${type}[${title}]`);

export function ResourceName({ type, title }: { readonly type: string; readonly title: string }) {
  return (
    <a class="mono name" href={hrefTo(['resources', type, title])}>
      <bdi>{resourceText(type, title)}</bdi>
    </a>
  );
}
