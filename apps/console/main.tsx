import { render } from 'preact';

render(<h1>nodeledger</h1>, document.getElementById('console')!);
