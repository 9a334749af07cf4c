/** Clients (receivers), version 1 of the API: several records may share an RFC. */
import { json, type SandboxResponse } from '../service';
import { REGIMENES } from './catalogos';
import { nothing } from './forma';
import { isBody, textOf, type Body } from './read';
import { statusRefusal } from './refusals';
import { newUid, type Cliente, type State } from './state';

const RFC = /^[A-Z&Ñ]{3,4}\d{2}(0[1-9]|1[012])(0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/;
const OWN_FIELDS = ['rfc', 'razons', 'codpos', 'regimen', 'usocfdi', 'email'];

export function isRfc(rfc: string): boolean {
  return RFC.test(rfc);
}

export function saveCliente(data: unknown, state: State, uid?: string): SandboxResponse {
  const body = isBody(data) ? data : {};
  const before = uid === undefined ? undefined : state.clientes.get(uid);
  if (uid !== undefined && !before) throw statusRefusal('El cliente no existe');
  const cliente = merge(before, body, uid ?? newUid());
  requireValid(cliente);
  state.saveCliente(cliente);
  return json(200, { status: 'success', Data: clienteData(cliente, state) });
}

function merge(before: Cliente | undefined, body: Body, uid: string): Cliente {
  const field = (name: string, old: string | undefined) =>
    body[name] === undefined ? (old ?? '') : textOf(body[name]);
  const sent = Object.entries(body)
    .filter(([name]) => !OWN_FIELDS.includes(name))
    .map(([name, value]) => [name, textOf(value)]);
  return {
    uid,
    rfc: field('rfc', before?.rfc).toUpperCase(),
    razons: field('razons', before?.razons),
    codpos: field('codpos', before?.codpos),
    regimen: field('regimen', before?.regimen),
    usocfdi: field('usocfdi', before?.usocfdi),
    email: field('email', before?.email),
    otros: { ...before?.otros, ...(Object.fromEntries(sent) as Record<string, string>) },
  };
}

function requireValid({ rfc, razons, codpos, regimen, email }: Cliente) {
  const problems: Record<string, string[]> = {};
  const required = { rfc, razons, codpos, email };
  for (const [name, value] of Object.entries(required))
    if (value === '') problems[name] = [`El campo ${name} es requerido`];
  if (rfc !== '' && !isRfc(rfc)) problems.rfc = ['El formato del campo rfc no es válido'];
  if (codpos !== '' && codpos.length < 5) problems.codpos = ['El campo codpos debe contener al menos 5 caracteres'];
  if (email !== '' && !(/^[^\s@]+@[^\s@]+$/.test(email) && email.split('@')[1]!.slice(1, -1).includes('.')))
    problems.email = ['El campo email debe ser una dirección de correo válida'];
  if (regimen !== '' && !REGIMENES.has(regimen)) problems.regimen = ['El campo regimen no es válido'];
  if (Object.keys(problems).length > 0) throw statusRefusal(problems);
}

/** Answers with a client, found by RFC or UID. An RFC with several records gives the first. */
export function showCliente(key: string, state: State): SandboxResponse {
  const cliente = state.clientes.get(key) ?? byRfc(key, state)[0];
  if (!cliente) return nothing('El cliente no existe', state);
  return json(200, { status: 'success', Data: clienteData(cliente, state) });
}

export function listByRfc(rfc: string, state: State): SandboxResponse {
  const clientes = byRfc(rfc, state);
  if (clientes.length === 0) return nothing('Cliente no encontrado', state);
  return json(200, { status: 'success', Data: clientes.map((cliente) => clienteData(cliente, state)) });
}

export function listClientes(state: State): SandboxResponse {
  return json(200, {
    status: 'success',
    data: [...state.clientes.values()].map((cliente) => clienteData(cliente, state)),
  });
}

export function destroyCliente(uid: string, state: State): SandboxResponse {
  if (!state.clientes.has(uid)) return json(200, { response: 'error', message: 'El cliente no existe' });
  state.dropCliente(uid);
  return json(200, { response: 'success', message: 'Cliente eliminado satisfactoriamente' });
}

/** Answers whether an RFC is on the SAT's list of taxpayers with duties, in a list of one element, as documented. */
export function lco(rfc: string, state: State): SandboxResponse {
  return json(200, [
    state.contribuyentes.has(rfc.toUpperCase())
      ? { status: 'success', message: `El RFC ${rfc} se encuentra en la LCO` }
      : { status: 'error', message: `El RFC ${rfc} no se encuentra en la LCO, no podrá facturar a este RFC` },
  ]);
}

function byRfc(rfc: string, state: State): Cliente[] {
  return [...state.clientes.values()].filter((cliente) => cliente.rfc === rfc.toUpperCase());
}

function clienteData(cliente: Cliente, state: State) {
  const { otros } = cliente;
  return {
    UID: cliente.uid,
    RazonSocial: cliente.razons,
    RFC: cliente.rfc,
    Regimen: REGIMENES.get(cliente.regimen)?.texto ?? '',
    RegimenId: cliente.regimen,
    Calle: otros.calle ?? '',
    Numero: otros.numero_exterior ?? '',
    Interior: otros.numero_interior ?? '',
    Colonia: otros.colonia ?? '',
    CodigoPostal: cliente.codpos,
    Ciudad: otros.ciudad ?? '',
    Delegacion: otros.delegacion ?? '',
    Localidad: otros.localidad ?? '',
    Estado: otros.estado ?? '',
    Pais: otros.pais ?? 'MEX',
    NumRegIdTrib: otros.numregidtrib ?? '',
    UsoCFDI: cliente.usocfdi,
    Contacto: {
      Nombre: otros.nombre ?? '',
      Apellidos: otros.apellidos ?? '',
      Email: cliente.email,
      Email2: otros.email2 ?? '',
      Email3: otros.email3 ?? '',
      Telefono: otros.telefono ?? '',
    },
    cfdis: state.countOf(cliente.uid),
    cuentas_banco: [],
  };
}
