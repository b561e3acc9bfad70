# A nightly check as a SQL Agent job (CmdExec step) or a systemd timer runs it: no profile, no console, no questions.
# The exit code is what the job goes by: 0 kept, 1 a test failed, 3 a rule was missed.
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
    $null = [System.IO.Directory]::CreateDirectory($OutputFolder)
    $name = Join-Path $OutputFolder ([datetime]::Now.ToString('yyyy-MM-dd_HHmm', [cultureinfo]::InvariantCulture))

    # Nobody can be asked at night: -Confirm:$false says yes to a volume that SQL Server uses, which is what the canary is for.
    $test = @{ Path = $Path; Workload = $Workload; OutputPath = "$name.json"; Confirm = $false; WarningAction = 'SilentlyContinue' }
    if ($Duration) { $test.Duration = $Duration }
    $results = Invoke-IoTest @test
    $results | Export-IoReport "$name.xlsx"
    $results | Export-IoReport "$name.html"

    $missed = @($results | Test-IoResult $RuleSet | Where-Object Outcome -EQ 'Fail')
    $missed | ForEach-Object { "$($_.Workload): $($_.Reason)" }
    "$(@($results).Count) tests, $($missed.Count) rules missed"
    exit ($missed.Count -gt 0 ? 3 : 0)
} catch {
    [Console]::Error.WriteLine($_.Exception.Message)
    exit 1
}
