<#
    Milliseconds from Ctrl+C to the end of the pipeline, of the first run that a process stops. Later ones are shorter: their code is compiled.
#>
[CmdletBinding()]
param(
    # The module's manifest.
    [Parameter(Mandatory)]
    [string] $Module,

    # What is stopped; {0} stands for a folder that is empty at first.
    [string] $Line = "Invoke-IoTest '{0}' -FileSize 8MB -Duration 10m -WarmUp 0"
)

$ErrorActionPreference = 'Stop'
$folder = [System.IO.Directory]::CreateTempSubdirectory('iobench-stop-').FullName
$shell = [powershell]::Create()
try {
    $null = $shell.AddScript("Import-Module '$Module'; $($Line -f $folder)")
    $running = $shell.BeginInvoke()
    # By then it measures.
    Start-Sleep -Seconds 3
    if ($running.IsCompleted) { throw "It ended by itself: $($shell.Streams.Error)" }
    $watch = [System.Diagnostics.Stopwatch]::StartNew()
    $shell.Stop()
    [math]::Round($watch.Elapsed.TotalMilliseconds)
} finally {
    $shell.Dispose()
    Remove-Item -LiteralPath $folder -Recurse -Force
}
