import { run } from './platform';
run();
