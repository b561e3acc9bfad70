<#
.SYNOPSIS
    Builds, tests and packs IoBench. Needs pwsh and the .NET SDK; says what else a task is missing.
.EXAMPLE
    ./build.ps1 -Task Build, Test
.EXAMPLE
    ./build.ps1 -Task Test -Coverage

    The module's tests alone, and an error when less than 90 % of Public and Private was run.
.EXAMPLE
    ./build.ps1 -Task Package

    Makes the packages, and installs each of them to see that it works.
#>
[CmdletBinding()]
[Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSReviewUnusedParameter', '', Justification = 'The tasks use them.')]
param(
    [ValidateSet('Build', 'Test', 'Analyze', 'Help', 'Package', 'Bench')]
    [string[]] $Task = 'Build',

    [ValidateSet('Release', 'Debug')]
    [string] $Configuration = 'Release',

    # Test: only the module's tests, with the share of Public and Private that was run.
    [switch] $Coverage,

    # Package: what to make.
    [ValidateSet('Module', 'Tool', 'Program')]
    [string[]] $Part = @('Module', 'Tool', 'Program'),

    # Package: the folder for it, which is emptied.
    [string] $OutputPath = (Join-Path $PSScriptRoot 'artifacts' 'package'),

    # Package: what is built already is packed as it is.
    [switch] $NoBuild
)

$ErrorActionPreference = 'Stop'
Set-StrictMode -Version 3.0
$root = $PSScriptRoot
$artifacts = Join-Path $root 'artifacts'

function Invoke-Tool {
    <# Runs a program and stops the build when it fails. #>
    param([string] $Program, [string[]] $Argument)

    if (-not (Get-Command $Program -CommandType Application -ErrorAction Ignore)) {
        $where = $Program -eq 'dotnet' ? 'the .NET SDK 10 (https://dot.net)' : $Program -eq 'pwsh' ? 'PowerShell 7.4 or later (https://aka.ms/powershell)' : $Program
        throw "$Program is not on the PATH. Install $where."
    }
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
    Invoke-Tool dotnet @('build', (Join-Path $root 'IoBench.slnx'), '-c', $Configuration, '-v', 'q')
}

function Invoke-TestTask {
    Assert-Module -Name Pester -For 'The task Test'
    $null = [System.IO.Directory]::CreateDirectory((Join-Path $artifacts 'pester'))
    $run = @(
        '-NoProfile', '-NonInteractive', '-File', (Join-Path $root 'Tests' 'Module' 'Invoke-ModuleTest.ps1')
        '-ResultPath', (Join-Path $artifacts 'pester' 'all.xml')
    )
    if ($Coverage) {
        $run += '-CoveragePath', (Join-Path $artifacts 'pester' 'coverage.xml'), '-CoverageTarget', '90'
    }
    # In a pwsh of its own: assemblies stay loaded to the end of the process.
    Invoke-Tool pwsh $run
    if (-not $Coverage) {
        Invoke-Tool dotnet @('test', (Join-Path $root 'IoBench.slnx'), '-c', $Configuration, '--filter', 'FullyQualifiedName!~IoBench.Module.Tests')
    }
}

function Invoke-AnalyzeTask {
    Assert-Module -Name PSScriptAnalyzer -For 'The task Analyze'
    Import-Module (Join-Path $root 'IoBench.psd1')
    $findings = @(& (Join-Path $root 'Tests' 'Module' 'Get-AnalyzerFinding.ps1'))
    if ($findings.Count -gt 0) {
        $findings
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

function Split-Command {
    <#
        A command in two parts: what an import reads, and what the first call of any command reads. Attributes and parameters are the first; a long process or end
        block is the second, run in the function's scope by the dot operator. Short blocks stay: they may be run once for each of many objects.
    #>
    param([System.Management.Automation.Language.FunctionDefinitionAst] $Function)

    $begin = $Function.Body.BeginBlock
    $text = $Function.Extent.Text
    $from = $Function.Extent.StartOffset
    $late = [System.Collections.Generic.List[string]]::new()
    foreach ($block in $Function.Body.EndBlock, $Function.Body.ProcessBlock) {
        if (-not $block -or $block.Unnamed -or $block.Extent.Text.Length -lt 1000) { continue }
        $open = $block.Extent.StartOffset + $block.Extent.Text.IndexOf('{')
        $body = $block.Extent.Text.Substring($open - $block.Extent.StartOffset)
        # A script block has automatic variables of its own: those of the command are found in $PSCmdlet, which it shares.
        $own = $block.FindAll({ $args[0] -is [System.Management.Automation.Language.VariableExpressionAst] -and $args[0].VariablePath.UserPath -in 'PSBoundParameters', 'MyInvocation', 'args', 'input' }, $true)
        foreach ($variable in $own | Sort-Object -Property { $_.Extent.StartOffset } -Descending) {
            $name = switch ($variable.Splatted ? '' : $variable.VariablePath.UserPath) {
                'PSBoundParameters' { '$PSCmdlet.MyInvocation.BoundParameters' }
                'MyInvocation' { '$PSCmdlet.MyInvocation' }
                default { throw "$($Function.Name): $($variable.Extent.Text) has another value in a package. Use a variable of your own." }
            }
            $body = $body.Remove($variable.Extent.StartOffset - $open, $variable.Extent.Text.Length).Insert($variable.Extent.StartOffset - $open, $name)
        }
        $key = "$($Function.Name).$($block.BlockKind)"
        $late.Add("`$script:lateBlocks['$key'] = $body")
        $text = $text.Remove($open - $from, $block.Extent.EndOffset - $open).Insert($open - $from, "{ . `$script:lateBlocks['$key'] }")
    }
    if ($begin) {
        $text = $text.Insert($begin.Extent.StartOffset + $begin.Extent.Text.IndexOf('{') + 1 - $from, ' Initialize-IoFunction')
    } else {
        # A body without names for its parts is the end block.
        $unnamed = $Function.Body.EndBlock -and $Function.Body.EndBlock.Unnamed
        $text = $text.Insert($Function.Body.ParamBlock.Extent.EndOffset - $from, ($unnamed ? '; Initialize-IoFunction' : ' begin { Initialize-IoFunction }'))
    }
    @{ Now = $text; Late = $late }
}

function Write-PackageScript {
    <#
        The functions of the module's folder, in two files. What an import reads costs everybody who imports: that is the commands' beginnings, and what IoBench.psm1
        itself calls; all else is read when a command is called first.
    #>
    param([string] $Module)

    $loader = [System.Management.Automation.Language.Parser]::ParseFile((Join-Path $root 'IoBench.psm1'), [ref] $null, [ref] $null)
    $needed = @('Initialize-IoFunction') + @(foreach ($call in $loader.FindAll({ $args[0] -is [System.Management.Automation.Language.CommandAst] }, $true)) { $call.GetCommandName() })
    $now = [System.Collections.Generic.List[string]]::new()
    $late = [System.Collections.Generic.List[string]]::new()
    $late.Add('$script:lateBlocks = @{}')
    foreach ($file in 'Private', 'Public' | ForEach-Object { Get-ChildItem -Path (Join-Path $root $_) -Filter *.ps1 }) {
        $problems = $null
        $tree = [System.Management.Automation.Language.Parser]::ParseFile($file.FullName, [ref] $null, [ref] $problems)
        if ($problems) {
            throw "$($file.FullName):$($problems[0].Extent.StartLineNumber): $($problems[0].Message)"
        }
        $function = $tree.EndBlock.Statements[0]
        if ($file.Directory.Name -eq 'Public') {
            $parts = Split-Command -Function $function
            $now.Add($parts.Now)
            $late.AddRange($parts.Late)
        } elseif ($file.BaseName -in $needed) {
            $now.Add($function.Extent.Text)
        } else {
            # Read inside a function, it is to belong to the module all the same.
            $late.Add("function script:$($function.Name) $($function.Body.Extent.Text)")
        }
    }
    [System.IO.File]::WriteAllText((Join-Path $Module 'IoBench.Functions.ps1'), ($now -join "`n`n") + "`n")
    # The loader without what it does in a checkout: PowerShell compiles all of a script, run or not.
    $choice = $loader.Find({ $args[0] -is [System.Management.Automation.Language.IfStatementAst] -and $args[0].Clauses[0].Item1.Extent.Text.Contains('IoBench.Functions.ps1') }, $false)
    $package = ($choice.Clauses[0].Item2.Statements.Extent.Text) -join "`n"
    $text = $loader.Extent.Text.Remove($choice.Extent.StartOffset, $choice.Extent.EndOffset - $choice.Extent.StartOffset).Insert($choice.Extent.StartOffset, $package)
    [System.IO.File]::WriteAllText((Join-Path $Module 'IoBench.psm1'), $text)
    [System.IO.File]::WriteAllText((Join-Path $Module 'IoBench.Private.ps1'), ($late -join "`n`n") + "`n")
}

function Write-PackageManifest {
    <# The manifest with what only a package has at a known place: assemblies, and with them types and views, which PowerShell reads in that order and quickly. #>
    param([string] $Manifest)

    $text = [System.IO.File]::ReadAllText($Manifest)
    $place = '    FunctionsToExport = @('
    $assemblies = (Get-ChildItem -Path (Join-Path (Split-Path $Manifest) 'lib') -Filter IoBench.*.dll | ForEach-Object { "'lib/$($_.Name)'" }) -join ', '
    $lines = "    RequiredAssemblies = @($assemblies)", "    TypesToProcess = @('IoBench.Types.ps1xml')", "    FormatsToProcess = @('IoBench.Format.ps1xml')"
    if ($text.IndexOf($place) -lt 0) {
        throw "$Manifest has no line '$place'."
    }
    [System.IO.File]::WriteAllText($Manifest, $text.Replace($place, ($lines -join "`n") + "`n$place"))
}

function New-ModulePackage {
    <# The gallery-ready folder, and a zip of it for machines without internet. #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param([string] $Package, [string] $Version)

    $module = Join-Path $Package 'IoBench' $Version
    $null = New-Item -ItemType Directory -Path (Join-Path $module 'lib')
    foreach ($item in 'IoBench.psd1', 'IoBench.psm1', 'IoBench.Format.ps1xml', 'IoBench.Types.ps1xml', 'en-US', 'LICENSE') {
        Copy-Item -Path (Join-Path $root $item) -Destination $module -Recurse
    }
    $built = Join-Path $artifacts 'bin' 'IoBench.Loader' $Configuration.ToLowerInvariant()
    if (-not (Test-Path (Join-Path $built 'IoBench.Loader.dll'))) {
        throw "$built has no assemblies. Run ./build.ps1 -Task Build first."
    }
    Copy-Item -Path (Join-Path $built 'IoBench.*.dll') -Destination (Join-Path $module 'lib')
    Write-PackageScript -Module $module
    Write-PackageManifest -Manifest (Join-Path $module 'IoBench.psd1')
    [System.IO.Compression.ZipFile]::CreateFromDirectory((Join-Path $Package 'IoBench'), (Join-Path $Package "IoBench-$Version.zip"), 'Optimal', $true)
}

function New-ProgramPackage {
    <# Programs in one file that need no .NET. #>
    [Diagnostics.CodeAnalysis.SuppressMessageAttribute('PSUseShouldProcessForStateChangingFunctions', '', Justification = 'A step of a task.')]
    param([string] $Package, [string] $Project)

    foreach ($runtime in 'win-x64', 'linux-x64') {
        $publish = @(
            'publish', $Project, '-c', $Configuration, '-v', 'q', '-o', (Join-Path $Package $runtime), '-r', $runtime, '--self-contained'
            '-p:IoBenchFramework=net10.0', '-p:PublishSingleFile=true', '-p:DebugType=none', '-p:PublishDocumentationFiles=false', '-p:PublishReferencesDocumentationFiles=false'
            "-p:ArtifactsPath=$(Join-Path $artifacts 'package-build')"
        )
        try {
            Invoke-Tool dotnet $publish
        } catch {
            # A machine without the runtime packs of the other system still gets everything else.
            Write-Warning "The program for $runtime was not made: $($_.Exception.Message)"
        }
    }
}

function Test-Package {
    <# Installs each package as its users will, in a folder of its own, and asks it for its workloads; a hash that is wrong is an error too. #>
    param([string] $Package, [string] $Version)

    $place = Join-Path ([System.IO.Path]::GetTempPath()) "iobench-package-$([guid]::NewGuid().ToString('N').Substring(0, 8))"
    $null = [System.IO.Directory]::CreateDirectory($place)
    try {
        foreach ($line in [System.IO.File]::ReadAllLines((Join-Path $Package 'SHA256SUMS'))) {
            $hash, $name = $line -split '  ', 2
            if ((Get-FileHash -Algorithm SHA256 -LiteralPath (Join-Path $Package $name)).Hash -ne $hash) {
                throw "$name is not what its hash says."
            }
        }
        if ($Part -contains 'Module') {
            # A machine without internet: unpacked where PowerShell looks for modules, found by its name, help included.
            [System.IO.Compression.ZipFile]::ExtractToDirectory((Join-Path $Package "IoBench-$Version.zip"), $place)
            $ask = '$env:PSModulePath = $args[0]; Import-Module IoBench -ErrorAction Stop; [string](Get-Module IoBench).Version; (Get-IoWorkload sql-server).Name; (Get-Help Invoke-IoTest).Synopsis'
            $answer = @(pwsh -NoProfile -NonInteractive -Command "& { $ask } '$place'")
            if ($answer[0] -ne $Version -or $answer[1] -ne 'sql-server' -or $answer[2] -notmatch '^Tests storage') {
                throw "The module from the zip does not work: $($answer -join '; ')"
            }
            "zip: unpacked and imported, help found"
        }
        if ($Part -contains 'Tool') {
            $tools = Join-Path $place 'tools'
            $null = Invoke-Tool dotnet @('tool', 'install', 'IoBench.Cli', '--tool-path', $tools, '--add-source', $Package, '--version', $Version)
            Assert-Program -Path (Join-Path $tools ($IsWindows ? 'iobench.exe' : 'iobench'))
            "tool: installed and run"
        }
        foreach ($program in Get-ChildItem -Path $Package -Recurse -File -Include iobench, iobench.exe) {
            $isOwn = $IsWindows -eq ($program.Name -eq 'iobench.exe')
            if ($isOwn) { Assert-Program -Path $program.FullName }
            "$(Split-Path -Leaf $program.DirectoryName): $($isOwn ? 'run' : 'hash verified; it runs on the other system')"
        }
    } finally {
        Remove-Item -LiteralPath $place -Recurse -Force
    }
}

function Assert-Program {
    <# The program starts and knows its workloads. #>
    param([string] $Path)

    $answer = @(& $Path workloads) -join "`n"
    if ($LASTEXITCODE -ne 0 -or $answer -notmatch 'sql-server') {
        throw "$Path does not work: exit code $LASTEXITCODE. $answer"
    }
}

function Invoke-PackageTask {
    if (-not $NoBuild) {
        Invoke-BuildTask
    }
    $version = (Import-PowerShellDataFile (Join-Path $root 'IoBench.psd1')).ModuleVersion
    if (Test-Path $OutputPath) {
        Remove-Item -LiteralPath $OutputPath -Recurse -Force
    }
    $package = [System.IO.Directory]::CreateDirectory($OutputPath).FullName
    $project = Join-Path $root 'src' 'IoBench.Cli' 'IoBench.Cli.csproj'
    if ($Part -contains 'Module') {
        New-ModulePackage -Package $package -Version $version
    }
    if ($Part -contains 'Tool') {
        Invoke-Tool dotnet @('pack', $project, '-c', $Configuration, '-v', 'q', '-o', $package, '-p:IoBenchTool=true')
    }
    if ($Part -contains 'Program') {
        New-ProgramPackage -Package $package -Project $project
    }
    Get-ChildItem -Path $package -Recurse -File -Include *.zip, *.nupkg, iobench, iobench.exe |
        Get-FileHash -Algorithm SHA256 |
        ForEach-Object { "$($_.Hash.ToLowerInvariant())  $([System.IO.Path]::GetRelativePath($package, $_.Path).Replace('\', '/'))" } |
        Set-Content -LiteralPath (Join-Path $package 'SHA256SUMS')
    Test-Package -Package $package -Version $version
}

function Invoke-BenchTask {
    # What a script pays for the packed module: starts of pwsh with and without it take turns, so that what else goes on falls on both.
    $place = Join-Path $artifacts 'bench-package'
    if (Test-Path $place) {
        Remove-Item -LiteralPath $place -Recurse -Force
    }
    $version = (Import-PowerShellDataFile (Join-Path $root 'IoBench.psd1')).ModuleVersion
    New-ModulePackage -Package ([System.IO.Directory]::CreateDirectory($place).FullName) -Version $version
    $module = Join-Path $place 'IoBench' $version 'IoBench.psd1'
    $times = @{ With = [System.Collections.Generic.List[double]]::new(); Without = [System.Collections.Generic.List[double]]::new() }
    $pairs = 15
    foreach ($round in 0..$pairs) {
        foreach ($kind in 'Without', 'With') {
            $watch = [System.Diagnostics.Stopwatch]::StartNew()
            Invoke-Tool pwsh @('-NoProfile', '-NonInteractive', '-Command', ($kind -eq 'With' ? "Import-Module '$module'" : 'exit'))
            # The first round finds the files not yet in memory.
            if ($round -gt 0) { $times[$kind].Add($watch.Elapsed.TotalMilliseconds) }
        }
    }
    $difference = @(0..($pairs - 1) | ForEach-Object { $times.With[$_] - $times.Without[$_] } | Sort-Object)
    $middle = ($pairs - 1) / 2
    $start = @($times.Without | Sort-Object)[$middle]
    "Import of the packed module: $([math]::Round($difference[$middle])) ms beyond pwsh itself (median of $pairs pairs; $([math]::Round($difference[0])) to $([math]::Round($difference[-1])); pwsh: $([math]::Round($start)) ms)"
    Invoke-Tool dotnet @('run', '-c', 'Release', '--project', (Join-Path $root 'Tests' 'Benchmarks'))
}

foreach ($name in $Task) {
    & "Invoke-${name}Task"
}
