# Runs Pester files for the tests of IoBench.Module.Tests: reads their paths from a pipe, and writes a line of JSON for each test to another, then one without an outcome.
[CmdletBinding()]
param(
    [string] $Pester,

    # Handles of anonymous pipes.
    [string] $FilePipe,

    [string] $ResultPipe
)

$ErrorActionPreference = 'Stop'
Import-Module $Pester

function Write-Result {
    param([string] $Name, [string] $Outcome, [object[]] $ErrorRecord, [string] $Message, [timespan] $Duration = 0)

    foreach ($record in $ErrorRecord) { $Message += $record.Exception.Message }
    $line = [ordered]@{
        Name = $Name -replace '\s+', ' '; Outcome = $Outcome ? $Outcome : $null; Message = $Message
        Trace = ($ErrorRecord.ForEach({ $_.ScriptStackTrace }) -join "`n"); Seconds = $Duration.TotalSeconds
    }
    $writer.WriteLine(($line | ConvertTo-Json -Compress))
}

function Get-SkipReason {
    <# Reason of a skipped test: that of Set-ItResult, or the tag "needs ..." of the test or of a block that has it. #>
    param([object] $Test)

    foreach ($record in $Test.ErrorRecord) { return $record.Exception.Message -replace '^is skipped, because ' }
    for ($item = $Test; $item; $item = $item.PSObject.Properties['Block'] ? $item.Block : $item.Parent) {
        foreach ($tag in $item.Tag) {
            if ($tag -like 'needs *') { return $tag }
        }
    }
    'gives no reason'
}

$reader = [System.IO.StreamReader]::new([System.IO.Pipes.AnonymousPipeClientStream]::new('In', $FilePipe))
$writer = [System.IO.StreamWriter]::new([System.IO.Pipes.AnonymousPipeClientStream]::new('Out', $ResultPipe))
$writer.AutoFlush = $true
$folder = (Get-Location).Path
$environment = [System.Environment]::GetEnvironmentVariables()
while ($path = $reader.ReadLine()) {
    $configuration = New-PesterConfiguration
    $configuration.Run.Path = $path
    $configuration.Run.PassThru = $true
    $configuration.Output.Verbosity = 'Normal'
    $configuration.Output.RenderMode = 'Plaintext'
    $run = Invoke-Pester -Configuration $configuration
    foreach ($test in $run.Tests) {
        switch ($test.Result) {
            'Skipped' { Write-Result $test.ExpandedPath Skipped -Message (Get-SkipReason $test) }
            'Passed' { Write-Result $test.ExpandedPath Passed -Duration $test.Duration }
            default { Write-Result $test.ExpandedPath Failed -ErrorRecord $test.ErrorRecord -Duration $test.Duration }
        }
    }
    # A file that throws while its tests are collected has no failed test, and neither has a block whose AfterAll throws.
    foreach ($block in @($run.FailedBlocks) + @($run.FailedContainers)) {
        Write-Result "$($block.PSObject.Properties['ExpandedPath'] ? $block.ExpandedPath : 'discovery')" Failed -ErrorRecord $block.ErrorRecord
    }
    # No file sees what another one has changed.
    Set-Location -LiteralPath $folder
    foreach ($name in [System.Environment]::GetEnvironmentVariables().Keys) {
        if (-not $environment.Contains($name)) { [System.Environment]::SetEnvironmentVariable($name, [NullString]::Value) }
    }
    foreach ($name in $environment.Keys) { [System.Environment]::SetEnvironmentVariable($name, $environment[$name]) }
    Write-Result
}
