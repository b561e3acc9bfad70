# A nightly check as a SQL Agent job (CmdExec step) or a systemd timer runs it: no profile, no console, no questions.
# The exit code decides: 0 passed, 1 a test failed or a parameter is wrong, 3 a rule failed or nothing could be rated.
[CmdletBinding()]
param(
    [Parameter(Mandatory)]
    [string] $Path,

    [Parameter(Mandatory)]
    [string] $OutputFolder,

    [string] $Workload = 'canary',

    [string] $RuleSet = 'flash',

    # Seconds of each test; a minute in the canary.
    [string] $Duration,

    [IO.FileInfo] $Module
)

# Without this an error that does not terminate would end the job with success.
$ErrorActionPreference = 'Stop'
$ProgressPreference = 'SilentlyContinue'

try {
    Import-Module ($Module ? $Module.FullName : 'IoBench')
    # A wrong rule set is found before the tests, not after them.
    $null = @() | Test-IoResult $RuleSet -WarningAction SilentlyContinue
    $null = [System.IO.Directory]::CreateDirectory($OutputFolder)
    $name = Join-Path $OutputFolder ([datetime]::Now.ToString('yyyy-MM-dd_HHmmss', [cultureinfo]::InvariantCulture))

    # Nobody can be asked at night: -Confirm:$false says yes to a volume that SQL Server uses, which is what the canary is for.
    $test = @{ Path = $Path; Workload = $Workload; OutputPath = "$name.json"; Confirm = $false; WarningAction = 'SilentlyContinue' }
    if ($Duration) { $test.Duration = $Duration }
    # The rules below give the verdict, so the one by the default rules is not shown.
    $results = @(Invoke-IoTest @test 6>$null)
    $results | Export-IoReport "$name.xlsx"
    $results | Export-IoReport "$name.html"

    $verdicts = @($results | Test-IoResult $RuleSet)
    $verdicts | Where-Object Outcome -In 'Fail', 'NotRated' | ForEach-Object { "$($_.Workload): $($_.Reason)" }
    $failed, $unrated = @($verdicts | Where-Object Outcome -EQ 'Fail').Count, @($verdicts | Where-Object Outcome -EQ 'NotRated').Count
    "Tests: $($results.Count). Rules: $($verdicts.Count - $failed - $unrated) passed, $failed failed, $unrated not rated."
    # True only if at least one rule was rated, and none failed.
    exit (($results | Test-IoResult $RuleSet -Quiet) ? 0 : 3)
} catch {
    [Console]::Error.WriteLine($_.Exception.Message)
    exit 1
}
