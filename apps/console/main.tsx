import { render } from 'preact';
import { followLinks } from './address/address';
import { Console } from './shell/shell';

followLinks();
render(<Console />, document.getElementById('console')!);
