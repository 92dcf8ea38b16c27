import { Splitter } from '#log';
import { serveTasks } from '#threads';
import { documentSections } from '#wire';

const splitter = new Splitter(documentSections);
serveTasks(splitter.split.bind(splitter));
