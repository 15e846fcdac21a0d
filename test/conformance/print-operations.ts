/** Prints the operations of an OpenAPI file as JSON. Its reader is a module that Jest can't load. */
import { readOperations } from '../../conformance/adapt/operations';

const main = async (file = ''): Promise<void> => console.log(JSON.stringify(await readOperations(file)));

main(process.argv[2]);
