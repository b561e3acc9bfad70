function Write-IoFileProgress {
    <# How far the making of a test file is. #>
    [CmdletBinding()]
    param(
        [Parameter(Mandatory)]
        [string] $Path,

        [Parameter(Mandatory)]
        [long] $Written,

        [Parameter(Mandatory)]
        [long] $Total,

        [Parameter(Mandatory)]
        [timespan] $Elapsed
    )

    if ($Total -le 0 -or $Elapsed.TotalSeconds -le 0) {
        return
    }
    $rate = $Written / $Elapsed.TotalSeconds
    $done = [IoBench.Engine.IoSize]::new($Written).ToDisplayString()
    $whole = [IoBench.Engine.IoSize]::new($Total).ToDisplayString()
    $show = @{
        Id = 7350
        Activity = 'IoBench: making a test file'
        Status = [string]::Format([cultureinfo]::InvariantCulture, '{0}   {1} of {2}   {3:N0} MB/s', $Path, $done, $whole, $rate / 1MB)
        PercentComplete = [int][math]::Clamp([double]($Written * 100 / $Total), 0.0, 100.0)
    }
    if ($rate -gt 0) {
        $show.SecondsRemaining = [int](($Total - $Written) / $rate)
    }
    Write-Progress @show
}
