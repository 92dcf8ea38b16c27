/** The main module of the thread that compiles large queries. */
import { serveTasks } from '#threads';
import { compileRequest } from './compile-request';

serveTasks(compileRequest);
