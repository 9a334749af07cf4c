import { forget } from './almacen';
import { boton, h } from './hacer';
import { show, titulo } from './pantalla';
import { misEntradas } from './porEnviar';
import { showInicio } from './searchHere';

/** Who leaves with something unsent is told so: it stays on this phone, under their name. */
export async function leave(): Promise<void> {
  const pendientes = (await misEntradas()).length;
  const ir = async () => {
    await forget();
    location.assign('/salir');
  };
  if (pendientes === 0) return ir();
  const dice = `${pendientes === 1 ? 'Queda 1 cambio' : `Quedan ${pendientes} cambios`} sin enviar. Se guarda en este teléfono, nadie más lo ve, y se envía cuando vuelvas a entrar aquí.`;
  await show({
    pinta: () => [
      titulo('Falta por enviar'),
      h('p', { class: 'panel aviso' }, dice),
      h(
        'div',
        { class: 'botones' },
        boton('Seguir aquí', () => void show({ pinta: () => [] }).then(showInicio)),
        boton('Salir de todos modos', () => void ir(), 'principal'),
      ),
    ],
  });
}
