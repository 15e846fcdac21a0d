// A function declaration, because the calls of jest.mock move to the top of the file.
function refuseProcesses() {
  const refuse = () => {
    throw new Error('A unit test starts no process. Name its file *.process.test.ts, or *.browser.test.ts.');
  };
  return { spawn: refuse, spawnSync: refuse, fork: refuse, exec: refuse, execFileSync: refuse };
}

jest.mock('node:child_process', refuseProcesses);
jest.mock('child_process', refuseProcesses);
