# shipped_library(TARGET): the texts of library/ as a C file of the target, src/hierarchy/shipped.h.
# They are written when the build is configured, which a change in one of them repeats.
function(shipped_library target)
  file(GLOB_RECURSE texts CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/library ${PROJECT_SOURCE_DIR}/library/*.mo)
  set(arrays "")
  set(rows "")
  set(k 0)
  foreach(text IN LISTS texts)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/library/${text})
    file(READ ${PROJECT_SOURCE_DIR}/library/${text} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text_${k}[] = {\n${bytes}0};\n")
    string(APPEND rows "    {\"${text}\", text_${k}, sizeof text_${k} - 1},\n")
    math(EXPR k "${k} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/shipped.c @ONLY CONTENT
"#include \"hierarchy/shipped.h\"

${arrays}
const hier_shipped hier_shipped_texts[] = {
${rows}    {NULL, NULL, 0}};
")
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/shipped.c)
endfunction()
