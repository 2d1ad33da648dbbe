! Modules that have variables, types and procedures of one name.
module grid_mod
  implicit none
  type point
    integer :: x(3)
  end type
  real(8) :: field(5)
  type(point) :: corner
contains
  subroutine fill(count)
    integer, intent(in) :: count
    integer :: i
    do i = 1, count
      field(mod(i, 5) + 1) = i
      corner%x(mod(i, 3) + 1) = i
    end do
  end subroutine
end module

module wave_mod
  implicit none
  type point
    real :: height
  end type
  integer :: field(7)
  type(point) :: corner
contains
  subroutine fill(count)
    integer, intent(in) :: count
    integer :: i
    do i = 1, count
      field(mod(i, 7) + 1) = i
      corner%height = corner%height + i
    end do
  end subroutine
end module

program modules
  use grid_mod, only: fill_grid => fill, grid => field
  use wave_mod, only: fill_wave => fill, wave => field
  implicit none
  call fill_grid(9)
  call fill_wave(11)
  if (grid(1) + wave(1) < 0) stop 1
end program
