! Variables of every kind that Fortran keeps at fixed addresses. The main program prints the address
! of some places, as the compiler knows them, behind the name that they are to have; behind a bar,
! where it may be one of several names.
module grid_mod
  implicit none
  type inner
    real(8) :: x, y
    integer :: tag(-1:1)
  end type
  type, extends(inner) :: point
    character(len=5) :: name
    type(inner) :: parts(2,3)
    real(4), allocatable :: w(:)
  end type
  real(8) :: field(3,5)
  integer :: cube(-1:2,0:3,2:4)
  integer(2) :: four(2,3,2,2)
  type(point) :: points(4), one
  character(len=7) :: words(3)
  complex(8) :: waves(2,2)
  logical :: flags(-3:-1)
  real(8), allocatable :: open(:,:), line(:)
  integer, pointer :: link(:)
  type(point), pointer :: single
  type(inner), allocatable :: heap(:)
end module

subroutine other
  implicit none
  real :: left(2), right(2,3)
  integer :: more
  common /shared/ left, right, more
  more = 7
  right(1,2) = 5
end subroutine

program main
  use grid_mod
  implicit none
  integer, save :: kept(2,3)
  integer, save :: same(6), matrix(2,3)
  real :: first(4), second(2,2)
  integer :: last
  integer :: n
  equivalence (same, matrix)
  common /shared/ first, second, last
  n = 5
  allocate(open(3,n))
  allocate(line(n))
  allocate(heap(-1:n))
  allocate(single)
  allocate(link( &
    n))
  field(2,1) = 1
  call at('field(2,1)', loc(field(2,1)))
  field(3,5) = 1
  call at('field(3,5)', loc(field(3,5)))
  cube(0,1,3) = 1
  call at('cube(0,1,3)', loc(cube(0,1,3)))
  cube(-1,3,2) = 1
  call at('cube(-1,3,2)', loc(cube(-1,3,2)))
  four(1,2,1,2) = 1_2
  call at('four(1,2,1,2)', loc(four(1,2,1,2)))
  points(3)%y = 1
  call at('points(3)%inner%y', loc(points(3)%y))
  points(2)%tag(-1) = 1
  call at('points(2)%inner%tag(-1)', loc(points(2)%tag(-1)))
  points(4)%parts(2,3)%tag(1) = 1
  call at('points(4)%parts(2,3)%tag(1)', loc(points(4)%parts(2,3)%tag(1)))
  one%x = 1
  call at('one%inner%x', loc(one%x))
  words(2)(1:1) = 'a'
  call at('words(2)', loc(words(2)))
  waves(2,1) = (1, 2)
  call at('waves(2,1)%re', loc(waves(2,1)))
  flags(-2) = .true.
  call at('flags(-2)', loc(flags(-2)))
  kept(2,3) = n
  call at('kept(2,3)', loc(kept(2,3)))
  matrix(1,2) = n
  call at('|matrix(1,2)', loc(same(3)))
  first(2) = 1
  call at('|first(2)', loc(first(2)))
  second(1,2) = 1
  call at('|second(1,2)', loc(second(1,2)))
  last = n
  call other
  call at('|last', loc(last))
  open(3,2) = 1
  call at('malloc(3,2)?', loc(open(3,2)))
  line(4) = 1
  call at('malloc(4)?', loc(line(4)))
  link(2) = 1
  call at('malloc(2)?', loc(link(2)))
  heap(3)%y = 1
  call at('malloc(3)%y?', loc(heap(3)%y))
  heap(-1)%tag(0) = 1
  call at('malloc(-1)%tag(0)?', loc(heap(-1)%tag(0)))
  single%parts(1,2)%x = 1
  call at('malloc%parts(1,2)%x?', loc(single%parts(1,2)%x))
  if (sum(field) + sum(cube) + sum(four) + sum(points%x) + kept(1,2) + real(waves(1,1)) < -1) &
    print *, field, cube, four, points%y, kept, same, matrix, first, second, last, words, flags, waves, one%x
  if (any(open > 9) .or. any(line > 9) .or. any(link > 9) .or. any(heap%y > 9)) print *, single%x
contains
  subroutine at(name, address)
    character(len=*), intent(in) :: name
    integer(8), intent(in) :: address
    print '(a,1x,z0)', name, address
  end subroutine
end program
