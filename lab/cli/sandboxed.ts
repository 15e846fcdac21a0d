/** The first import of each command that runs the app with the sandbox, which speaks the contract itself. */
import { speakContract } from '../../src/api/adapter';

speakContract();
