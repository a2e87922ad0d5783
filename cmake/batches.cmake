# A build that is made once, as `make check` does with the sanitizers, takes half the time when it compiles
# several files at once. The other builds compile each file alone, which must include what it needs.
option(DAEDAL_BATCHES "Compile the C files of a program in batches" OFF)

# in_batches(TARGET...): batches of the C files of such targets of this folder in place of them (batches.py).
function(in_batches)
  if(NOT DAEDAL_BATCHES)
    return()
  endif()
  set(given "")
  foreach(target IN LISTS ARGN)
    list(APPEND given ${CMAKE_CURRENT_BINARY_DIR}/${target})
    get_target_property(files ${target} SOURCES)
    foreach(file IN LISTS files)
      get_property(definition SOURCE ${file} PROPERTY COMPILE_DEFINITIONS)
      list(APPEND given "${file}:${definition}")
    endforeach()
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files}) # names may come and go
  endforeach()
  execute_process(COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/cmake/batches.py ${given}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE written COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "\n" ";" written "${written}")
  foreach(target IN LISTS ARGN)
    set(batches ${written})
    list(FILTER batches INCLUDE REGEX "/${target}_[0-9]+\\.c$")
    set_property(TARGET ${target} PROPERTY SOURCES ${batches})
  endforeach()
endfunction()
