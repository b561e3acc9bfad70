<#
.SYNOPSIS
    Builds, tests and packs IoBench. Needs pwsh and the .NET SDK; says what else a task is missing.
.EXAMPLE
    ./build.ps1 -Task Build, Test
.EXAMPLE
    ./build.ps1 -Task Package
#>
[CmdletBinding()]
[Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSReviewUnusedParameter', 'Configuration', Justification = 'The tasks use it.')]
param(
    [ValidateSet('Build', 'Test', 'Analyze', 'Help', 'Package', 'Bench')]
    [string[]] $Task = 'Build',

    [ValidateSet('Release', 'Debug')]
    [string] $Configuration = 'Release'
)

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 3.0
$root = $PSScriptRoot
$artifacts = Join-Path $root 'artifacts'

function Invoke-Tool {
    <# Runs a program and stops the build when it fails. #>
    param([string] $Program, [string[]] $Argument)

    & $Program @Argument
    if ($LASTEXITCODE -ne 0) {
        throw "$Program $($Argument -join ' ') ended with exit code $LASTEXITCODE."
    }
}

function Assert-Module {
    param([string] $Name, [string] $For)

    if (-not (Get-Module -ListAvailable -Name $Name)) {
        throw "$For needs the module $Name. Install it: Install-PSResource $Name"
    }
}

function Invoke-BuildTask {
    Invoke-Tool dotnet build, (Join-Path $root 'IoBench.slnx'), '-c', $Configuration, '-v', 'q'
}

function Invoke-TestTask {
    Assert-Module -Name Pester -For 'The task Test'
    $null = [System.IO.Directory]::CreateDirectory((Join-Path $artifacts 'pester'))
    $run = @(
        '-NoProfile', '-NonInteractive', '-File', (Join-Path $root 'Tests' 'Module' 'Invoke-ModuleTest.ps1')
        '-ResultPath', (Join-Path $artifacts 'pester' 'all.xml')
        '-CoveragePath', (Join-Path $artifacts 'pester' 'coverage.xml')
    )
    # In a pwsh of its own: assemblies stay loaded to the end of the process.
    Invoke-Tool pwsh $run
    Invoke-Tool dotnet test, (Join-Path $root 'IoBench.slnx'), '-c', $Configuration, '--filter', 'FullyQualifiedName!~IoBench.Module.Tests'
}

function Invoke-AnalyzeTask {
    Assert-Module -Name PSScriptAnalyzer -For 'The task Analyze'
    $settings = Join-Path $root 'PSScriptAnalyzerSettings.psd1'
    Import-Module (Join-Path $root 'IoBench.psd1')
    $files = Get-ChildItem -Path (Join-Path $root 'Public'), (Join-Path $root 'Private'), (Join-Path $root 'docs' 'examples'), (Join-Path $root '*.ps*1') -Recurse -Include *.ps1, *.psm1, *.psd1
    $findings = @($files | ForEach-Object { Invoke-ScriptAnalyzer -Path $_.FullName -Settings $settings })
    $findings | Format-Table -Property ScriptName, Line, RuleName, Message
    if ($findings.Count -gt 0) {
        throw "PSScriptAnalyzer has $($findings.Count) findings."
    }
}

function Invoke-HelpTask {
    Assert-Module -Name Microsoft.PowerShell.PlatyPS -For 'The task Help'
    $made = Join-Path $artifacts 'help'
    $pages = Get-ChildItem (Join-Path $root 'docs' 'en-US') -Filter '*-*.md'
    $null = $pages | Import-MarkdownCommandHelp | Export-MamlCommandHelp -OutputFolder $made -Force
    Copy-Item -Path (Join-Path $made 'IoBench' 'IoBench-Help.xml') -Destination (Join-Path $root 'en-US' 'IoBench-Help.xml')
    $about = Get-Content -Path (Join-Path $root 'docs' 'en-US' 'about_IoBench.md')
    $about -replace '^# about_IoBench', "TOPIC`n    about_IoBench" -replace '^## ' | Set-Content -Path (Join-Path $root 'en-US' 'about_IoBench.help.txt')
}

function Invoke-PackageTask {
    Invoke-BuildTask
    $version = (Import-PowerShellDataFile (Join-Path $root 'IoBench.psd1')).ModuleVersion
    $package = Join-Path $artifacts 'package'
    $module = Join-Path $package 'IoBench' $version
    if (Test-Path $package) {
        Remove-Item -Path $package -Recurse -Force
    }
    $null = New-Item -ItemType Directory -Path (Join-Path $module 'lib')
    foreach ($item in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Format.ps1xml', 'IoBench.Types.ps1xml', 'Public', 'Private', 'en-US', 'LICENSE') {
        Copy-Item -Path (Join-Path $root $item) -Destination $module -Recurse
    }
    $built = Join-Path $artifacts 'bin' 'IoBench.Loader' $Configuration.ToLowerInvariant()
    Copy-Item -Path (Join-Path $built 'IoBench.*.dll') -Destination (Join-Path $module 'lib')
    Compress-Archive -Path (Join-Path $package 'IoBench') -DestinationPath (Join-Path $package "IoBench-$version.zip")

    $cli = Join-Path $root 'src' 'IoBench.Cli' 'IoBench.Cli.csproj'
    Invoke-Tool dotnet pack, $cli, '-c', $Configuration, '-v', 'q', '-o', $package, '-p:IoBenchTool=true'
    foreach ($runtime in 'win-x64', 'linux-x64') {
        $folder = Join-Path $package $runtime
        try {
            Invoke-Tool dotnet publish, $cli, '-c', $Configuration, '-v', 'q', '-o', $folder, '-r', $runtime, '--self-contained', '-p:IoBenchFramework=net10.0', '-p:PublishSingleFile=true', '-p:DebugType=none', '-p:PublishDocumentationFiles=false', '-p:PublishReferencesDocumentationFiles=false', "-p:ArtifactsPath=$(Join-Path $artifacts 'package-build')"
        } catch {
            # A machine without the runtime packs of the other system still gets everything else.
            Write-Warning "The program for $runtime was not made: $($_.Exception.Message)"
        }
    }
    Get-ChildItem -Path $package -Recurse -File -Include *.zip, *.nupkg, iobench, iobench.exe |
        Get-FileHash -Algorithm SHA256 |
        ForEach-Object { "$($_.Hash.ToLowerInvariant())  $([System.IO.Path]::GetRelativePath($package, $_.Path))" } |
        Set-Content -Path (Join-Path $package 'SHA256SUMS')
}

function Invoke-BenchTask {
    $import = foreach ($round in 1..5) {
        [double](pwsh -NoProfile -NonInteractive -Command "`$w = [System.Diagnostics.Stopwatch]::StartNew(); Import-Module '$root/IoBench.psd1'; `$w.Elapsed.TotalMilliseconds")
    }
    "Import of the module: $([math]::Round(($import | Measure-Object -Minimum).Minimum)) ms (best of 5)"
    Invoke-Tool dotnet run, '-c', 'Release', '--project', (Join-Path $root 'Tests' 'Benchmarks')
}

foreach ($name in $Task) {
    & "Invoke-${name}Task"
}
