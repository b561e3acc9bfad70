function New-IoFile {
    <# Makes the file of a target, with progress, in short waits so that Ctrl+C ends it at once. Gives the attempt: the target or the error. #>
    [CmdletBinding()]
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'Part of a cmdlet that asks itself.')]
    [OutputType([IoBench.Loader.Attempt])]
    param(
        [Parameter(Mandatory)]
        [IoBench.Engine.IoTestSpecification] $Specification,

        [Parameter(Mandatory)]
        [IoBench.Engine.IoTargetSpecification] $Target,

        [Parameter(Mandatory)]
        [IoBench.Engine.TestRunOptions] $Options
    )

    $preparation = $null
    try {
        $preparation = [IoBench.Loader.FilePreparation]::new($Specification, $Target, $Options)
        $began = [System.Diagnostics.Stopwatch]::StartNew()
        while (-not $preparation.Wait([timespan]::FromMilliseconds(150))) {
            Write-IoFileProgress -Path $Target.Path -Written $preparation.Written -Total $preparation.Total -Elapsed $began.Elapsed
        }
        [IoBench.Loader.Attempt]::Target($preparation)
    } finally {
        if ($null -ne $preparation) { $preparation.Dispose() }
        Write-Progress -Id 7350 -Activity 'IoBench: making a test file' -Completed
    }
}
