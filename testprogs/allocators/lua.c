#include "counted.h"

#include <lua5.4/lauxlib.h>
#include <lua5.4/lua.h>
#include <lua5.4/lualib.h>

static lua_State *lua(void)
{
	static lua_State *state;

	if (!state) {
		state = luaL_newstate();
		luaL_openlibs(state);
	}
	return state;
}

struct counted counted(void)
{
	lua_gc(lua(), LUA_GCSTOP);
	return (struct counted){ 0,
		(uint64_t)lua_gc(lua(), LUA_GCCOUNT) * 1024 + (uint64_t)lua_gc(lua(), LUA_GCCOUNTB) };
}

void *take(size_t size)
{
	return lua_newuserdatauv(lua(), size, 0);
}

/* It is garbage from here on. */
void give(void *block)
{
	(void)block;
	lua_pop(lua(), 1);
	lua_gc(lua(), LUA_GCRESTART);
}

void work(uint64_t seed)
{
	lua_pushinteger(lua(), (lua_Integer)seed);
	lua_setglobal(lua(), "seed");
	if (luaL_dostring(lua(),
				"kept = kept or {}\n"
				"for i = 1, 3000 do\n"
				"  local k = (i * seed * 7919) % 500\n"
				"  kept[k] = i % 3 == 0 and nil or {i, 'text ' .. i, {x = i, y = seed}}\n"
				"end\n"
				"local co = coroutine.wrap(function() for i = 1, 9 do coroutine.yield(i) end end)\n"
				"for i = 1, 9 do kept[#kept + 1] = co() end\n"
				"local s = string.rep('ab', 5000 * seed)\n"
				"kept.text = s:gsub('a', 'ccc')\n"))
		dprintf(2, "%s\n", lua_tostring(lua(), -1));
}
