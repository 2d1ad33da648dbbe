! Arrays that are allocated, in contained procedures of one name.
module first_mod
  implicit none
contains
  subroutine work(n, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: total
    real(8), allocatable :: values(:)
    allocate (values(n))
    call set()
    total = total + sum(values)
    deallocate (values)
  contains
    subroutine set()
      values = 1.5d0
    end subroutine
  end subroutine
end module

module second_mod
  implicit none
contains
  subroutine work(n, total)
    integer, intent(in) :: n
    real(8), intent(inout) :: total
    integer, allocatable :: values(:)
    allocate (values(n))
    call set()
    total = total + sum(values)
    deallocate (values)
  contains
    subroutine set()
      values = 2
    end subroutine
  end subroutine
end module

program allocated
  use first_mod, only: work_first => work
  use second_mod, only: work_second => work
  implicit none
  real(8) :: total
  total = 0
  call work_first(7, total)
  call work_second(11, total)
  if (total < 1) stop 1
end program
