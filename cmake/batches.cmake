# A build that is made once, as `make check` does with the sanitizers, takes half the time when it compiles
# several files at once. The other builds compile each file alone, which must include what it needs.
option(DAEDAL_BATCHES "Compile the C files of a program in batches" OFF)

# in_batches(TARGET...): batches of the C files of such targets of this folder in place of them (batches.py).
function(in_batches)
  if(NOT DAEDAL_BATCHES)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    get_target_property(files ${target} SOURCES)
    set(given "")
    foreach(file IN LISTS files)
      get_property(definition SOURCE ${file} PROPERTY COMPILE_DEFINITIONS)
      list(APPEND given "${file}:${definition}")
    endforeach()
    execute_process(
      COMMAND ${PYTHON} ${PROJECT_SOURCE_DIR}/cmake/batches.py ${CMAKE_CURRENT_BINARY_DIR}/${target} ${given}
      WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE batches COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX REPLACE "\n" ";" batches "${batches}")
    set_property(TARGET ${target} PROPERTY SOURCES ${batches})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files}) # names may come and go
  endforeach()
endfunction()
