function Get-IoSessionTest {
    <# Numbers of the tests a host has to run: all of a plan, less those whose results the output file has from that host. #>
    [CmdletBinding()]
    [OutputType([int])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification[]] $Plan,

        [AllowNull()]
        [IoBench.Formats.ResultFile] $Output,

        [Parameter(Mandatory)]
        [object] $Machine,

        # All hosts: sessions to one host share what it has done.
        [Parameter(Mandatory)]
        [object[]] $All
    )

    $done = @{}
    if ($null -ne $Output) {
        foreach ($result in $Output.Results) {
            if ($result.ComputerName -eq $Machine.ComputerName -and $result.Status -eq 'Complete' -and $null -ne $result.Specification) {
                $done[[IoBench.Formats.ResumePlan]::KeyOf($result.Specification)] += 1
            }
        }
    }
    # Of equal sessions the first takes what is done first.
    $before = @($All.Where({ $_.ComputerName -eq $Machine.ComputerName })).IndexOf($Machine)
    for ($number = 0; $number -lt $Plan.Count; $number++) {
        $key = [IoBench.Formats.ResumePlan]::KeyOf($Plan[$number])
        if ($done.ContainsKey($key) -and $done[$key] -gt $before) {
            $done[$key] -= @($All.Where({ $_.ComputerName -eq $Machine.ComputerName })).Count
        } else {
            $number
        }
    }
}
